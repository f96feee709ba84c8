// Warns about entries in locales that the file no longer lists: they are kept, but hardly any request finds them.

import type { PluginContext } from '../plugin.ts'

/** The locales of this many entries are named; further entries are only counted. */
const SAMPLE = { kind: 'offset', start: 0, limit: 100 } as const

export async function warnUnlisted({ model, content, log }: PluginContext): Promise<void> {
  for (const type of model.contentTypes.values()) {
    const { locale } = type
    if (locale?.enum === undefined) continue
    const unlisted = { $notIn: locale.enum }
    const params = { publicationState: 'preview', fields: [locale.name], locale: unlisted } as const
    const total = await content.count(type, params)
    if (total === 0) continue
    const sample = await content.findAll(type, { ...params, pagination: SAMPLE })
    const codes = new Set(sample.map((entry) => String(entry[locale.name])))
    const some = total === 1 ? `1 entry of ${type.uid} stays` : `${total} entries of ${type.uid} stay`
    log.warn(
      `${some} in locales that the file does not list (${[...codes].join(', ')}): "locale=all" shows them`,
    )
  }
}
