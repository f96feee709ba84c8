// Records the requests that an instance received.

import type { ServedHandler } from '../../http/server.ts'

export interface RecordedRequest {
  readonly method: string
  /** Without the query string. */
  readonly path: string
  /** Without `?`. */
  readonly query: string
  readonly status: number
  readonly authorized: boolean
}

interface RequestHistory {
  readonly list: readonly RecordedRequest[]
  handler(handler: ServedHandler): ServedHandler
  clear(): void
}

const MAX_REQUESTS = 1000

export function createRequestHistory(): RequestHistory {
  const list: RecordedRequest[] = []
  return {
    list,
    handler: (handler) => async (request) => {
      const { method, path, query } = request
      const authorized = request.header('authorization') !== undefined
      const reply = await handler(request)
      list.push({ method, path, query, status: reply.status, authorized })
      if (list.length > MAX_REQUESTS) list.shift()
      return reply
    },
    clear: () => void list.splice(0),
  }
}
