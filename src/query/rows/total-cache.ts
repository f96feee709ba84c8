// How many entries match, kept until something that was counted has changed: a list is asked for page by page, and by
// many callers, and to count a million entries takes longer than to read a page of them.

import { BoundedCache } from '../../lib/bounded-cache.ts'
import { cacheBudgets } from '../../lib/cache-budgets.ts'
import { exactKey } from '../../lib/exact-key.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import { bindValues } from '../../storage/sql/parameter.ts'
import type { BoundStatement } from '../../storage/sql/read-statements.ts'

interface TotalAtVersion {
  readonly version: number
  readonly total: number
}

/** A total that is known, or will be, at a version of the content-types that are counted. */
export interface CachedTotal {
  readonly known: number | undefined
  keep(total: number): void
}

/** Bytes of an entry beside its key. */
const ENTRY = 100

export function createTotalCache() {
  const kept = new BoundedCache<TotalAtVersion>({ name: 'totals', budget: cacheBudgets.totals })
  /**
   * The statement has in it what the caller's rules say, and its values what they say of the caller: callers for whom both are
   * equal count the same.
   */
  return function findTotal(
    { statement, parameters }: BoundStatement,
    values: readonly PlanValue[],
    version: number,
  ): CachedTotal {
    const key = exactKey([statement.text, bindValues(parameters, values, [])])
    if (key === undefined) return { known: undefined, keep: () => {} }
    const found = kept.get(key)
    return {
      known: found?.version === version ? found.total : undefined,
      keep: (total) => void kept.offer(key, { version, total }, 2 * key.length + ENTRY),
    }
  }
}
