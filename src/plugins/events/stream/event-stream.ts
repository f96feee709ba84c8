// The body of a receiver's response: sends texts as they come, and drops slow receivers.

import type { BodyStream } from '../../../http/reply.ts'

const MAX_WAITING_BYTES = 262_144

export interface EventStream {
  readonly body: BodyStream
  push(text: Uint8Array): void
  /** Ends the response after `text`, which replaces all waiting texts. */
  end(text: Uint8Array): void
  drained(): Promise<void>
  readonly over: boolean
  /** Whether its first text was sent: a client that disconnects before the response gets none. */
  readonly begun: boolean
}

/**
 * `drop`: the last text for a receiver that is too slow; `closed`: called once, when the stream is closed.
 */
export function createEventStream(first: Uint8Array, drop: Uint8Array, closed: () => void): EventStream {
  let waiting: Uint8Array[] = [first]
  let size = first.length
  let over = false
  let begun = false
  let drained: (() => void) | undefined
  let wake: ((result: IteratorResult<Uint8Array>) => void) | undefined

  function close(): void {
    if (over) return
    over = true
    drained?.()
    closed()
  }

  function end(text: Uint8Array): void {
    if (over) return
    close()
    if (wake === undefined) waiting = [text]
    else if (text.length > 0) send(text)
    else wake({ done: true, value: undefined })
  }

  function send(text: Uint8Array): void {
    const waker = wake
    wake = undefined
    waker?.({ done: false, value: text })
  }

  const pieces: AsyncIterator<Uint8Array> = {
    next() {
      begun = true
      const [text] = waiting
      if (text !== undefined) {
        waiting.shift()
        size -= text.length
        return Promise.resolve({ done: false, value: text })
      }
      drained?.()
      if (over) return Promise.resolve({ done: true, value: undefined })
      return new Promise((resolve) => {
        wake = resolve
      })
    },
    return() {
      waiting = []
      close()
      wake?.({ done: true, value: undefined })
      return Promise.resolve({ done: true, value: undefined })
    },
  }

  return {
    body: { length: undefined, chunks: () => ({ [Symbol.asyncIterator]: () => pieces }) },
    push(text) {
      if (over) return
      if (wake !== undefined) return send(text)
      size += text.length
      if (size > MAX_WAITING_BYTES) end(drop)
      else waiting.push(text)
    },
    end,
    drained: () =>
      over || waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            drained = resolve
          }),
    get over() {
      return over
    },
    get begun() {
      return begun
    },
  }
}
