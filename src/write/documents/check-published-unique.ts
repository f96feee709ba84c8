// Finds unique values of a draft that another published document has. The draft may keep them until it is
// published.

import type { ErrorItem } from '../../lib/errors/api-error.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import { NO_ENTRY } from '../../plan/parse-id.ts'
import { run, type Work } from '../../storage/database.ts'
import type { Storage } from '../storage.ts'
import { createSetFault, createUniqueFault } from '../writes/check-together.ts'
import { findTakenInComponents } from './check-published-components.ts'

/** `published`: the document's own row, which may have the same values. */
export function* findTakenByOthers(
  storage: Storage,
  type: ContentType,
  draft: number,
  published: number | undefined,
): Work<readonly ErrorItem[]> {
  const { statements } = storage
  const faults: ErrorItem[] = []
  const rows = [draft, published ?? NO_ENTRY]
  const lookup = (columns: readonly string[]) => run(statements.publishedWithValues(type, columns), rows)
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'scalar' || !attribute.unique) continue
    if ((yield* lookup([attribute.column])).length === 0) continue
    const [row] = yield* run(statements.getValues(type, attribute), [statements.encodeIds([draft])])
    // Empty text is exempt from uniqueness.
    if (row?.[1] === '') continue
    faults.push(createUniqueFault([attribute.name], attribute.private ? undefined : row?.[1]))
  }
  faults.push(...(yield* findTakenInComponents(storage, type, draft, published)))
  for (const set of type.uniqueSets) {
    const scalars = set.filter((one): one is ScalarAttribute => one.kind === 'scalar')
    if (scalars.length < set.length) continue
    if ((yield* lookup(scalars.map(({ column }) => column))).length > 0) faults.push(createSetFault(set))
  }
  return faults
}
