// Stores automatic persisted queries, which later requests name by hash. It drops the least recently used
// document, which the client then sends again.

import { createHash } from 'node:crypto'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { cacheBudgets } from '../../../lib/cache-budgets.ts'
import type { Parameters } from './parse-parameters.ts'
import { createJsonFault } from './request-fault.ts'

interface PersistedQueries {
  /** Throws RequestFault. */
  getDocument(parameters: Parameters): string
  keep(parameters: Parameters): void
}

export function createPersistedQueries(enabled: boolean): PersistedQueries {
  const documents = new BoundedCache<{ readonly query: string }>({
    name: 'persisted',
    budget: cacheBudgets.persisted,
  })
  return {
    getDocument({ query, persistedQuery }) {
      if (persistedQuery === undefined) return query ?? ''
      if (!enabled) {
        if (query !== undefined) return query
        throw createJsonFault(200, 'PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED')
      }
      const { version, sha256Hash } = persistedQuery
      if (version !== 1) throw createJsonFault(400, 'Unsupported persisted query version')
      if (query !== undefined) {
        if (sha256Hash !== computeHash(query)) throw createJsonFault(400, 'provided sha does not match query')
        return query
      }
      const known = typeof sha256Hash === 'string' ? documents.get(sha256Hash)?.query : undefined
      // Clients expect this error with status 200 and then send both hash and document.
      if (known === undefined)
        throw createJsonFault(200, 'PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND')
      return known
    },
    keep({ query, persistedQuery }) {
      if (!enabled || query === undefined || persistedQuery === undefined) return
      documents.set(String(persistedQuery.sha256Hash), { query }, 2 * query.length)
    },
  }
}

function computeHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
