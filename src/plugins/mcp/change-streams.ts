// Streams of clients that wait for changes of the tools. Clients of the revisions of 2025 open theirs with GET; the SDK makes
// those of 2026-07-28.

import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers'
import type { BodyStream } from '../../http/reply.ts'

/** The server closes a connection without data for a minute. */
const HEARTBEAT_MS = 15_000
/** A reply that is not sent, because its client is gone or has too many streams, is never asked for its pieces. */
const MAX_UNREAD_MS = 30_000

const BEAT = Buffer.from(':\n\n')
const CHANGED = Buffer.from(
  `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`,
)

interface ChangeStreams {
  open(): ReadableStream<Uint8Array>
  /** Tells all clients of a change, and ends their streams. */
  end(): void
}

export function createChangeStreams(): ChangeStreams {
  const waiting = new Set<ReadableStreamDefaultController<Uint8Array>>()
  let hasEnded = false
  let beating: NodeJS.Timeout | undefined

  function leave(controller: ReadableStreamDefaultController<Uint8Array> | undefined): void {
    if (controller !== undefined) waiting.delete(controller)
    if (waiting.size === 0) {
      clearInterval(beating)
      beating = undefined
    }
  }

  function tell(controller: ReadableStreamDefaultController<Uint8Array>): void {
    controller.enqueue(CHANGED)
    controller.close()
    leave(controller)
  }

  return {
    open() {
      let own: ReadableStreamDefaultController<Uint8Array> | undefined
      return new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller
          if (hasEnded) return tell(controller)
          controller.enqueue(BEAT)
          waiting.add(controller)
          beating ??= setInterval(() => {
            for (const one of waiting) one.enqueue(BEAT)
          }, HEARTBEAT_MS).unref()
        },
        cancel: () => leave(own),
      })
    },
    end() {
      hasEnded = true
      for (const controller of waiting) tell(controller)
    },
  }
}

/** `closed` is called once, when the stream has ended or its client is gone. */
export function streamBody(source: ReadableStream<Uint8Array>, closed: () => void): BodyStream {
  const reader = source.getReader()
  void reader.closed.catch(() => undefined).finally(closed)
  const cancel = (): void => void reader.cancel()
  const unread = setTimeout(cancel, MAX_UNREAD_MS).unref()
  return {
    length: undefined,
    chunks() {
      clearTimeout(unread)
      const pieces: AsyncIterator<Uint8Array> = {
        async next() {
          const { done, value } = await reader.read()
          return done ? { done, value: undefined } : { done, value }
        },
        async return() {
          cancel()
          return { done: true, value: undefined }
        },
      }
      return { [Symbol.asyncIterator]: () => pieces }
    },
  }
}
