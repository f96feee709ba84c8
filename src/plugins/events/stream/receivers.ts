// The receivers of server-sent events, with their messages and heartbeats.

import { clearInterval, setInterval } from 'node:timers'
import type { Principal } from '../../../access/principal.ts'
import type { SubscriptionLimits } from '../../../access/subscription-limits.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import { hasVersions } from '../../../model/content-rules.ts'
import type { Feed } from '../../feed.ts'
import type { PluginContext } from '../../plugin.ts'
import { createEventStream, type EventStream } from './event-stream.ts'
import type { Subscriber, Subscribers, Subscription } from './subscribers.ts'
import type { VisibleEvent } from './visible-events.ts'

/** The server closes a connection without data for a minute. */
const HEARTBEAT_MS = 15_000

const beat = Buffer.from(':\n\n')
const nothing = Buffer.alloc(0)
const tooSlow = dropped('the receiver reads too slowly; connect again to go on')

interface Reception {
  readonly request: HttpRequest
  readonly principal: Principal
  readonly subscription: Subscription
  readonly after: string | undefined
}

export interface Receivers {
  /** Throws RateLimitError or ServiceUnavailableError when too many receivers are connected. */
  add(reception: Reception): Promise<EventStream>
}

interface ReceiversOptions {
  readonly feed: Feed
  readonly subscribers: Subscribers
  readonly limits: SubscriptionLimits
  readonly onFault: PluginContext['onFault']
}

export function createReceivers({ feed, subscribers, limits, onFault }: ReceiversOptions): Receivers {
  const streams = new Set<EventStream>()
  const unread = new WeakSet<EventStream>()
  let beating: NodeJS.Timeout | undefined

  function getReason(error: unknown): string {
    if (error instanceof ApiError) return error.message
    onFault(error, undefined)
    return 'an internal error; connect again to go on'
  }

  function beatAll(): void {
    for (const stream of streams) {
      if (stream.begun) stream.push(beat)
      else if (unread.has(stream)) stream.end(nothing)
      else unread.add(stream)
    }
  }

  return {
    async add({ request, principal, subscription, after }) {
      const open = limits.connect(request.address).open(principal)
      try {
        await subscribers.begin()
        const from = after === undefined ? subscribers.number : await feed.getNumber(after)
        const start = from ?? subscribers.number
        const lost = from === undefined ? formatText('reset', {}) : ''
        const first = Buffer.from(
          `retry: 1000\n\n${lost}id: ${feed.getId(start)}\n${formatText('ready', {})}`,
        )
        const stream = createEventStream(first, tooSlow, () => {
          open.close()
          streams.delete(stream)
          subscribers.remove(subscriber)
          if (streams.size === 0) {
            clearInterval(beating)
            beating = undefined
          }
        })
        const subscriber: Subscriber = {
          request,
          subscription,
          open,
          number: start,
          get over() {
            return stream.over
          },
          deliver(events) {
            for (const event of events) stream.push(getMessage(event))
          },
          drained: stream.drained,
          failed: (fault) => stream.end(dropped(getReason(fault))),
          lost: () => stream.end(dropped('connect again to go on')),
          ended: () => stream.end(nothing),
        }
        streams.add(stream)
        beating ??= setInterval(beatAll, HEARTBEAT_MS).unref()
        subscribers.add(subscriber)
        return stream
      } catch (error) {
        open.close()
        throw error
      }
    },
  }
}

const messages = new WeakMap<VisibleEvent, Uint8Array>()

function getMessage(told: VisibleEvent): Uint8Array {
  const message = messages.get(told) ?? writeMessage(told)
  messages.set(told, message)
  return message
}

function writeMessage({ event, action, entry, changed, status }: VisibleEvent): Uint8Array {
  const { id, type, at, locale, document } = event
  const facts = {
    action,
    type: type.singularName,
    uid: type.uid,
    // Each publishing gives the published row another id, so it is omitted.
    ...(hasVersions(type) && event.entry !== undefined ? {} : { id: event.entry ?? null }),
    ...(document === undefined ? {} : { documentId: document.id }),
    ...(document?.status === undefined ? {} : { status }),
    ...(locale === undefined ? {} : { locale }),
    changed,
    at: new Date(at).toISOString(),
  }
  const data = `${JSON.stringify(facts).slice(0, -1)},"entry":${entry ?? 'null'}}`
  return Buffer.from(`id: ${id}\ndata: ${data}\n\n`)
}

function formatText(event: string, data: Readonly<Record<string, unknown>>): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

function dropped(reason: string): Uint8Array {
  return Buffer.from(formatText('dropped', { reason }))
}
