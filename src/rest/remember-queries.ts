// Caches the plans of query strings, so that a repeated query is not parsed and planned again. The key includes the
// route and the permissions, which decide what a plan may access. All routes share one budget.

import type { Permissions } from '../auth/principal.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import { weightOfPlan } from '../plan/weight-of-plan.ts'
import { BoundedCache } from '../util/bounded-cache.ts'
import { cacheBudgets } from '../util/cache-budgets.ts'
import { objectId } from '../util/exact-key.ts'

/** The result of parsing and planning a query string; its weight in the cache is that of the plan. */
export interface PlannedQuery {
  readonly prepared: { readonly plan: ReadPlan }
}

type Understand<Q, U> = (query: Q, permissions: Permissions) => U

export interface RememberQueries {
  <U extends PlannedQuery>(understand: Understand<string, U>): Understand<string, U>
  /** `keyOf`: what decides the plan, as text. */
  <Q, U extends PlannedQuery>(understand: Understand<Q, U>, keyOf: (query: Q) => string): Understand<Q, U>
}

export function createQueryMemory(): RememberQueries {
  const kept = new BoundedCache<PlannedQuery>({ name: 'queries', budget: cacheBudgets.queries })
  let routes = 0
  return <Q, U extends PlannedQuery>(
    understand: Understand<Q, U>,
    keyOf: (query: Q) => string = String,
  ): Understand<Q, U> => {
    routes += 1
    const route = routes
    return (query, permissions) => {
      const key = `${route} ${objectId(permissions)} ${keyOf(query)}`
      // The cast is safe: the key contains the route, so only this function stores values under it.
      const known = kept.get(key) as U | undefined
      if (known !== undefined) return known
      const understood = understand(query, permissions)
      kept.offer(key, understood, 2 * key.length + weightOfPlan(understood.prepared.plan))
      return understood
    }
  }
}
