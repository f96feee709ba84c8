// Caches plans by operation, permissions and query.

import type { Permissions } from '../access/principal.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { cacheBudgets } from '../lib/cache-budgets.ts'
import { getObjectId } from '../lib/exact-key.ts'
import { getFacts } from '../plan/plan-facts.ts'
import type { ReadPlan } from '../plan/read-plan.ts'

interface PreparedQuery {
  readonly prepared: { readonly plan: ReadPlan }
}

type Prepare<Q, P> = (query: Q, caller: Permissions) => P

interface QueryCache {
  /** `buildKey`: returns the text that decides the plan. */
  through<Q, P extends PreparedQuery>(prepare: Prepare<Q, P>, buildKey: (query: Q) => string): Prepare<Q, P>
}

export function createQueryCache(): QueryCache {
  const cache = new BoundedCache<PreparedQuery>({ name: 'queries', budget: cacheBudgets.queries })
  let operations = 0
  return {
    through<Q, P extends PreparedQuery>(
      prepare: Prepare<Q, P>,
      buildKey: (query: Q) => string,
    ): Prepare<Q, P> {
      operations += 1
      const operation = operations
      return (query, caller) => {
        const key = `${operation} ${getObjectId(caller)} ${buildKey(query)}`
        // The cast is safe: the key contains the operation, so only this function stores values under it.
        const cached = cache.get(key) as P | undefined
        if (cached !== undefined) return cached
        const prepared = prepare(query, caller)
        cache.offer(key, prepared, 2 * key.length + getFacts(prepared.prepared.plan).weight)
        return prepared
      }
    },
  }
}
