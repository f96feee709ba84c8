// Caches the totals of lists until a counted content-type changes: counting a million entries takes longer
// than reading a page.

import { BoundedCache } from '../../lib/bounded-cache.ts'
import { cacheBudgets } from '../../lib/cache-budgets.ts'
import { buildExactKey } from '../../lib/exact-key.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import { bindValues } from '../../storage/sql/parameter.ts'
import type { BoundStatement } from '../../storage/sql/read-statements.ts'

interface TotalAtVersion {
  readonly version: number
  readonly total: number
}

export interface CachedTotal {
  readonly known: number | undefined
  keep(total: number): void
}

/** Bytes of a cache entry beside its key. */
const ENTRY_BYTES = 100

export function createTotalCache() {
  const kept = new BoundedCache<TotalAtVersion>({ name: 'totals', budget: cacheBudgets.totals })
  /**
   * Callers may share a total: the statement contains the caller's rules, and its values the caller's data.
   */
  return function findTotal(
    { statement, parameters }: BoundStatement,
    values: readonly PlanValue[],
    version: number,
  ): CachedTotal {
    const key = buildExactKey([statement.text, bindValues(parameters, values, [])])
    if (key === undefined) return { known: undefined, keep: () => {} }
    const found = kept.get(key)
    return {
      known: found?.version === version ? found.total : undefined,
      keep: (total) => void kept.offer(key, { version, total }, 2 * key.length + ENTRY_BYTES),
    }
  }
}
