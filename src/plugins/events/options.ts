// `plugins.events.config` -> options with every default filled in. The file's schema has checked the types.

import { parseDuration } from '../../util/parse-units.ts'
import type { PluginSettings } from '../plugin.ts'
import { parseWebhooks, type Webhook } from './webhooks/webhook.ts'

export interface EventOptions {
  /** Milliseconds for which events are kept. */
  readonly keep: number
  /** Whether changes of files and of users are events, too. */
  readonly media: boolean
  readonly users: boolean
  readonly webhooks: readonly Webhook[]
}

const WEEK = 604_800_000

export function parseOptions({ config, whole }: PluginSettings): EventOptions {
  const { keep, media, users } = config
  const given = typeof keep === 'string' || typeof keep === 'number' ? parseDuration(keep) : undefined
  const webhooks = parseWebhooks(config['webhooks'], whole.server.environment === 'production')
  return { keep: given ?? WEEK, media: media !== false, users: users === true, webhooks }
}
