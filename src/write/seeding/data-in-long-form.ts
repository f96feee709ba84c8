// Expands `data` to long form, by full uid, for `print-config`.

import type { Config, SeedEntry } from '../../config/config.ts'
import type { ContributedEntry } from '../../model/contribution.ts'
import { expandData } from '../../model/data/expand-data.ts'
import { getDataModel } from '../../model/data/expansion.ts'
import type { Model } from '../../model/model.ts'

/** `now`: epoch milliseconds. */
export function toLongForm(
  { data }: Pick<Config, 'data'>,
  model: Model,
  given: readonly ContributedEntry[],
  now: number,
): Config['data'] {
  const shown: Record<string, SeedEntry[]> = {}
  for (const { type, data: entry, path } of expandData({ data, given, now }, getDataModel(model))) {
    if (path[0] !== 'data') continue
    const entries = shown[type.uid] ?? []
    shown[type.uid] = entries
    const { id, ...values } = entry
    entries.push({ id, ...values })
  }
  return shown
}
