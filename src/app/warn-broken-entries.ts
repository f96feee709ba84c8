// Warns of stored entries that violate a newer rule across attributes (`checks`).

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { ContentType } from '../model/content-type.ts'
import { countBroken } from '../query/broken-reads.ts'
import type { Database } from '../storage/database.ts'
import type { App } from './app.ts'

/** `previous`: the live app, whose rules held or were warned of already. */
export async function warnBrokenEntries(
  database: Database,
  { model, layout }: Pick<App, 'model' | 'layout'>,
  previous: Pick<App, 'model'> | undefined,
): Promise<readonly Diagnostic[]> {
  const warnings: Diagnostic[] = []
  for (const type of model.contentTypes.values()) {
    const known = new Set(previous?.model.contentTypes.get(type.uid)?.checks.map(({ text }) => text))
    for (const [index, check] of type.checks.entries()) {
      if (known.has(check.text)) continue
      const count = await database.read(() => countBroken(type, check, layout, database.dialect), {
        single: true,
      })
      if (count > 0) warnings.push(buildWarning(type, index, count))
    }
  }
  return warnings
}

function buildWarning({ uid, sourceKey = uid }: ContentType, index: number, count: number): Diagnostic {
  const [entries, them] = count === 1 ? ['1 entry', 'it'] : [`${count} entries`, 'them']
  return {
    code: 'DBS017',
    severity: 'warning',
    path: ['contentTypes', sourceKey, 'checks', index, 'that'],
    message: `this is false for ${entries} of ${uid} that ${count === 1 ? 'is' : 'are'} stored already`,
    help: `nothing is changed about ${them}; the next write of such an entry has to make it right`,
  }
}
