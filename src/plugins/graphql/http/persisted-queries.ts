// Automatic persisted queries: a client sends the hash of a document instead of it; the first time, both. Bounded: the one
// used longest ago goes, and its client sends it again.

import { createHash } from 'node:crypto'
import { BoundedCache } from '../../../util/bounded-cache.ts'
import { cacheBudgets } from '../../../util/cache-budgets.ts'
import type { Parameters } from './parse-parameters.ts'
import { jsonFault } from './request-fault.ts'

export interface PersistedQueries {
  /** The document that is asked for. Throws RequestFault. */
  documentOf(parameters: Parameters): string
  /** Keeps the document of a request that ran. */
  keep(parameters: Parameters): void
}

export function createPersistedQueries(enabled: boolean): PersistedQueries {
  const documents = new BoundedCache<{ readonly query: string }>({ budget: cacheBudgets.persisted })
  return {
    documentOf({ query, persistedQuery }) {
      if (persistedQuery === undefined) return query ?? ''
      if (!enabled) {
        if (query !== undefined) return query
        throw jsonFault(200, 'PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED')
      }
      const { version, sha256Hash } = persistedQuery
      if (version !== 1) throw jsonFault(400, 'Unsupported persisted query version')
      if (query !== undefined) {
        if (sha256Hash !== hashOf(query)) throw jsonFault(400, 'provided sha does not match query')
        return query
      }
      const known = typeof sha256Hash === 'string' ? documents.get(sha256Hash)?.query : undefined
      // A client takes this for "send both": the status is the one such clients look for.
      if (known === undefined) throw jsonFault(200, 'PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND')
      return known
    },
    keep({ query, persistedQuery }) {
      if (!enabled || query === undefined || persistedQuery === undefined) return
      documents.set(String(persistedQuery.sha256Hash), { query }, 2 * query.length)
    },
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
