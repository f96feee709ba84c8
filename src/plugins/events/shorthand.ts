// The short forms of events: `events: true`, `events: { keep: 7d }` and `webhooks: [...]` at the top of the file.

import type { Expansion } from '../../config/shorthand/expansion.ts'
import { liftInto, liftIntoPlugin } from '../../config/shorthand/lift.ts'
import type { PluginShorthands } from '../../config/shorthand/shorthand.ts'
import { isRecord } from '../../util/is-record.ts'

const PLACE = ['plugins', 'events']

export const eventsShorthand: PluginShorthands = { expand: [expandEvents, expandWebhooks] }

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
