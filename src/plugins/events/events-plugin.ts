// The events plugin: records committed changes in a feed, for HTTP clients, programs and webhooks.

import { clearInterval, setInterval } from 'node:timers'
import type { Expansion } from '../../config/shorthand/expansion.ts'
import { liftInto, liftIntoPlugin } from '../../config/shorthand/lift.ts'
import { isRecord } from '../../lib/is-record.ts'
import { parseDuration } from '../../lib/parse-units.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Model } from '../../model/model.ts'
import { leaseTable } from '../lease-table.ts'
import type { Plugin, PluginSettings } from '../plugin.ts'
import { FEED, GRAPHQL_EXTENSION, SUBSCRIPTION_LIMITS } from '../services.ts'
import { createFeed } from './feed/create-feed.ts'
import { eventTables } from './feed/event-tables.ts'
import { createFeedStore } from './feed/feed-store.ts'
import { createImages } from './feed/images.ts'
import { describeOperations } from './operations.ts'
import { createEventRoutes } from './stream/event-routes.ts'
import { createFollowAs } from './stream/follow-as.ts'
import { createGraphqlChanges } from './stream/graphql-changes.ts'
import { createReceivers } from './stream/receivers.ts'
import { createSubscribers } from './stream/subscribers.ts'
import { createSelectVisible } from './stream/visible-events.ts'
import { createDeliverer } from './webhooks/deliver.ts'
import { deliveryCommands } from './webhooks/delivery-commands.ts'
import { checkWebhooks, isWanted, parseWebhooks, type Webhook } from './webhooks/webhook.ts'
import { webhookTables } from './webhooks/webhook-tables.ts'

const TRIM_INTERVAL_MS = 600_000

export const eventsPlugin: Plugin = {
  name: 'events',
  shorthands: { expand: [expandEvents, expandWebhooks] },
  commands: deliveryCommands,
  inMemory: ({ webhooks: _, ...config }) => config,
  enable(settings) {
    const options = parseOptions(settings)
    return {
      contribution: { plugin: 'events', paths: ['_events'], contentTypes: {}, actions: [] },
      addresses: [`${settings.whole.rest.prefix}/_events`],
      describeOperations,
      checkWithCode({ model }) {
        const types = [...model.contentTypes.values()].filter((type) => follows(type, model, options))
        return checkWebhooks(options.webhooks, types, ['plugins', 'events', 'config', 'webhooks'])
      },
      activate(context) {
        const { content, model, now } = context
        const { database } = content
        const onFault = (fault: unknown): void => context.onFault(fault, undefined)
        const store = createFeedStore(database, model, now)
        const feed = createFeed({ store, database, onFault })
        const types = [...model.contentTypes.values()].filter((type) => follows(type, model, options))
        const followed: ReadonlySet<ContentType> = new Set(types)
        const tell = createSelectVisible(context)
        const listeners = createSubscribers(feed, tell, context)
        const limits = context.need(SUBSCRIPTION_LIMITS)
        const receivers = createReceivers({ feed, subscribers: listeners, limits, onFault: context.onFault })
        const { webhooks } = options
        const { warn } = context.log
        const deliverer =
          webhooks.length === 0 ? undefined : createDeliverer({ content, feed, webhooks, onFault, warn })
        let trimming: NodeJS.Timeout | undefined
        const trim = (): void => void store.trim(now() - options.keep).catch(onFault)
        return {
          tables: [...eventTables, ...(deliverer === undefined ? [] : [...webhookTables, leaseTable])],
          recorder: {
            follows: (type) => followed.has(type),
            paramsBefore: createImages(context, followed, (type) =>
              webhooks.some(
                (webhook) =>
                  isWanted(webhook, { type, action: 'delete' }) ||
                  (hasVersions(type) && isWanted(webhook, { type, action: 'unpublish' })),
              ),
            ),
            record: store.record,
            recorded: feed.wake,
          },
          routes: createEventRoutes(context, types, receivers),
          provides: [
            FEED.provide(feed),
            GRAPHQL_EXTENSION.provide(createGraphqlChanges(types, createFollowAs(listeners), context)),
          ],
          async prepare() {
            await store.open()
            await deliverer?.open()
          },
          begin() {
            trim()
            deliverer?.begin()
            trimming = setInterval(trim, TRIM_INTERVAL_MS).unref()
          },
          restored() {
            feed.restored()
            deliverer?.restored()
          },
          async retire() {
            clearInterval(trimming)
            listeners.end()
            await deliverer?.end()
            await feed.end()
          },
        }
      },
    }
  },
}

function follows(type: ContentType, model: Model, { media, users }: EventOptions): boolean {
  if (type.uid.startsWith('api::')) return true
  return (media && type === model.fileType) || (users && type === model.userType)
}

interface EventOptions {
  /** Milliseconds. */
  readonly keep: number
  /** Whether changes of files and users are events, too. */
  readonly media: boolean
  readonly users: boolean
  readonly webhooks: readonly Webhook[]
}

const WEEK_MS = 604_800_000

function parseOptions({ config, whole }: PluginSettings): EventOptions {
  const { keep, media, users } = config
  const given = typeof keep === 'string' || typeof keep === 'number' ? parseDuration(keep) : undefined
  const webhooks = parseWebhooks(config['webhooks'], whole.server.environment === 'production')
  return { keep: given ?? WEEK_MS, media: media !== false, users: users === true, webhooks }
}

const PLACE = ['plugins', 'events']

function expandEvents(expansion: Expansion): void {
  const value = expansion.at(['events'])
  if (typeof value !== 'boolean' && !isRecord(value)) return
  if (!liftInto(expansion, 'events', PLACE)) return
  if (!isRecord(value) || 'config' in value || 'enabled' in value) return
  expansion.replace(
    PLACE,
    { config: value },
    Object.keys(value).map((key) => [['config', key], [key]]),
  )
}

function expandWebhooks(expansion: Expansion): void {
  if (Array.isArray(expansion.at(['webhooks'])))
    liftIntoPlugin(expansion, 'webhooks', 'events', ['config', 'webhooks'])
}
