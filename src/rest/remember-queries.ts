// Query strings that were understood before are not parsed and planned again: kept for each set of permissions,
// because these decide what a plan may touch.

import type { Permissions } from '../auth/principal.ts'
import { LruMap } from '../util/lru-map.ts'

/** Query strings come from clients: only so many are kept, and no giants. */
const KEPT_QUERIES = 500
const LONGEST_KEPT_QUERY = 2000

export function rememberQueries<U>(
  understand: (query: string, permissions: Permissions) => U,
): (query: string, permissions: Permissions) => U {
  const kept = new WeakMap<Permissions, LruMap<string, U>>()
  return (query, permissions) => {
    let queries = kept.get(permissions)
    if (queries === undefined) {
      queries = new LruMap(KEPT_QUERIES)
      kept.set(permissions, queries)
    }
    let understood = queries.get(query)
    if (understood === undefined) {
      understood = understand(query, permissions)
      if (query.length <= LONGEST_KEPT_QUERY) queries.set(query, understood)
    }
    return understood
  }
}
