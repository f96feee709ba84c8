// Sends results as server-sent events ("GraphQL over SSE", distinct connections mode).

import { clearInterval, setInterval } from 'node:timers'
import type { Reply } from '../../../http/reply.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { type RaceAgainst, raceAgainst } from '../../../lib/race-against.ts'
import { type OperationResult, SourceEndError } from '../execution/operations.ts'

/** A connection is closed after a minute without traffic. */
const HEARTBEAT_MS = 15_000

const ENDED = 'ended'

/** Excludes clients that also accept JSON: urql names both types for every operation. */
export function wantsStream(request: HttpRequest): boolean {
  const accept = (request.header('accept') ?? '').toLowerCase()
  return accept.includes('text/event-stream') && !accept.includes('json') && !accept.includes('*/*')
}

/**
 * `gone` is called when the client stops reading, while the source may wait for an event that never comes.
 */
export function buildEventStreamReply(results: AsyncIterable<OperationResult>, gone: () => void): Reply {
  return {
    status: 200,
    headers: { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' },
    contentType: 'text/event-stream; charset=utf-8',
    body: { length: undefined, chunks: () => ({ [Symbol.asyncIterator]: () => listPieces(results, gone) }) },
  }
}

function listPieces(results: AsyncIterable<OperationResult>, gone: () => void): AsyncIterator<Uint8Array> {
  const source = results[Symbol.asyncIterator]()
  const first: string[] = [':\n\n']
  /** The pending result, which may take several heartbeats. */
  let answered: RaceAgainst<IteratorResult<OperationResult>> | undefined
  let over = false
  return {
    async next() {
      const text = first.shift()
      if (text !== undefined) return { done: false, value: Buffer.from(text) }
      if (over) return { done: true, value: undefined }
      answered ??= raceAgainst(source.next())
      let timer: NodeJS.Timeout | undefined
      const beat = new Promise<undefined>((resolve) => {
        timer = setInterval(() => resolve(undefined), HEARTBEAT_MS).unref()
      })
      const result = await answered(beat)
        .catch((fault: unknown): typeof ENDED => {
          // Without `complete`, the client sends its request again.
          if (fault instanceof SourceEndError) return ENDED
          throw fault
        })
        .finally(() => clearInterval(timer))
      if (result === ENDED) {
        over = true
        return { done: true, value: undefined }
      }
      if (result === undefined) return { done: false, value: Buffer.from(':\n\n') }
      answered = undefined
      if (result.done !== true)
        return { done: false, value: Buffer.from(`event: next\ndata: ${result.value.body}\n\n`) }
      over = true
      return { done: false, value: Buffer.from('event: complete\ndata:\n\n') }
    },
    async return() {
      over = true
      gone()
      void source.return?.()
      return { done: true, value: undefined }
    },
  }
}
