// The requests that an instance was sent, for tests of the code that sends them.

import type { ServedHandler } from '../../http/server.ts'

export interface RecordedRequest {
  readonly method: string
  /** As it was sent, without the query. */
  readonly path: string
  /** Without `?`. */
  readonly query: string
  /** Of the answer. */
  readonly status: number
  /** Whether it had a token. */
  readonly authorized: boolean
}

interface RequestHistory {
  readonly list: readonly RecordedRequest[]
  handler(handler: ServedHandler): ServedHandler
  clear(): void
}

const KEPT = 1000

export function createRequestHistory(): RequestHistory {
  const list: RecordedRequest[] = []
  return {
    list,
    handler: (handler) => async (request) => {
      const { method, path, query } = request
      const authorized = request.header('authorization') !== undefined
      const reply = await handler(request)
      list.push({ method, path, query, status: reply.status, authorized })
      if (list.length > KEPT) list.shift()
      return reply
    },
    clear: () => void list.splice(0),
  }
}
