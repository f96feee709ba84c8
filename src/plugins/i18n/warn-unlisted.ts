// Entries in locales that the file no longer lists -> a warning: they are kept, and hardly anybody finds them.

import { everyPermission } from '../../auth/principal.ts'
import { toObject } from '../../content/to-object.ts'
import type { PluginContext } from '../plugin.ts'

/** So many are looked at for the names of their locales; the others are counted. */
const SAMPLE = { defaultLimit: 100, maxLimit: 100, withCount: true } as const

export async function warnUnlisted({ model, content, log }: PluginContext): Promise<void> {
  for (const type of model.contentTypes.values()) {
    const { locale } = type
    if (locale?.enum === undefined) continue
    const unlisted = { $notIn: locale.enum }
    const params = { publicationState: 'preview', fields: [locale.name], locale: unlisted } as const
    const { plan, entries, total } = await content.prepareFind(type, params, everyPermission, SAMPLE).read()
    if (entries.length === 0) continue
    const codes = new Set(entries.map((entry) => String(toObject(plan, entry)[locale.name])))
    const some = total === 1 ? `1 entry of ${type.uid} stays` : `${total} entries of ${type.uid} stay`
    log.warn(
      `${some} in locales that the file does not list (${[...codes].join(', ')}): "locale=all" shows them`,
    )
  }
}
