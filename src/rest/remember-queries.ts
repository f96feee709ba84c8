// Query strings that were understood before are not parsed and planned again: kept for each route and set of permissions,
// because these decide what a plan may touch. All routes share one budget.

import type { Permissions } from '../auth/principal.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import { weightOfPlan } from '../plan/weight-of-plan.ts'
import { BoundedCache } from '../util/bounded-cache.ts'
import { cacheBudgets } from '../util/cache-budgets.ts'
import { objectId } from '../util/exact-key.ts'

/** What a query string was understood as; its plan says what it weighs. */
export interface Understood {
  readonly prepared: { readonly plan: ReadPlan }
}

export type RememberQueries = <U extends Understood>(
  understand: (query: string, permissions: Permissions) => U,
) => (query: string, permissions: Permissions) => U

export function createQueryMemory(): RememberQueries {
  const kept = new BoundedCache<Understood>({ budget: cacheBudgets.queries })
  let routes = 0
  return <U extends Understood>(understand: (query: string, permissions: Permissions) => U) => {
    routes += 1
    const route = routes
    return (query, permissions) => {
      const key = `${route} ${objectId(permissions)} ${query}`
      // Each route keeps what it understood under keys of its own.
      const known = kept.get(key) as U | undefined
      if (known !== undefined) return known
      const understood = understand(query, permissions)
      kept.offer(key, understood, 2 * key.length + weightOfPlan(understood.prepared.plan))
      return understood
    }
  }
}
