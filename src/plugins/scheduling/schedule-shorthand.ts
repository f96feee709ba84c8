// Expands `schedule: true` of a content-type into two attributes, their indexes and
// `pluginOptions.scheduling`.

import type { Expansion } from '../../config/shorthand/expansion.ts'
import type { PluginShorthands } from '../../config/shorthand/shorthand.ts'
import { isRecord } from '../../lib/is-record.ts'

const NAMES = ['publishAt', 'unpublishAt'] as const

export const scheduleShorthand: PluginShorthands = {
  typeKeys: { schedule: (value) => typeof value === 'boolean' },
  expand: [expandSchedule],
}

function expandSchedule(expansion: Expansion): void {
  for (const [key, type] of expansion.entries(['contentTypes'])) {
    if (!isRecord(type) || typeof type['schedule'] !== 'boolean') continue
    const { schedule, ...rest } = type
    const { attributes = {}, pluginOptions = {}, index = [] } = rest
    const path = ['contentTypes', key]
    if (!isRecord(attributes) || !isRecord(pluginOptions) || !Array.isArray(index)) continue
    if (!schedule) {
      expansion.replace(path, rest)
      continue
    }
    const named = { publishAt: 'publishAt', unpublishAt: 'unpublishAt' }
    const added = NAMES.filter((name) => !(name in attributes))
    const value = {
      ...rest,
      index: [...index, ...NAMES.filter((name) => !index.includes(name))],
      attributes: { ...attributes, ...Object.fromEntries(added.map((name) => [name, { type: 'datetime' }])) },
      pluginOptions: { ...pluginOptions, scheduling: named },
    }
    expansion.replace(path, value, [
      [['index'], rest['index'] === undefined ? ['schedule'] : ['index']],
      [['attributes'], ['attributes']],
      ...added.map((name) => [['attributes', name], ['schedule']] as const),
      [['pluginOptions'], rest['pluginOptions'] === undefined ? ['schedule'] : ['pluginOptions']],
      [['pluginOptions', 'scheduling'], ['schedule']],
    ])
  }
}
