// Sends a streamed body over uWebSockets.js, no faster than the socket drains.

import { type BodyStream, readUntilGone } from '../reply.ts'
import type { UwsResponse } from './uws-binding.ts'

interface SendState {
  /** The response must not be used after the abort. */
  readonly gone: AbortSignal
  /** Sets how many bytes of a piece wait for the client. */
  waits(bytes: number): void
  progress(): void
  /** Called once, after the last byte. */
  ended(): void
  failed(fault: unknown): void
}

/** Announces the total length in the head, or sends chunks. */
interface FrameState {
  write(piece: Uint8Array): readonly [ok: boolean, done: boolean]
  goOn(offset: number): readonly [ok: boolean, done: boolean]
  end(): void
}

/** The head must be written already. Closes the connection when the body fails. */
export async function sendStream(response: UwsResponse, body: BodyStream, sending: SendState): Promise<void> {
  let drained: (() => void) | undefined
  let over = false
  const end = (): void => {
    over = true
    sending.ended()
  }
  const framing = body.length === undefined ? chunked(response, end) : announced(response, body.length)
  response.onWritable((offset) => {
    const [ok, done] = framing.goOn(offset)
    if (done) end()
    if (ok || done) drained?.()
    return ok
  })
  sending.gone.addEventListener('abort', () => drained?.(), { once: true })
  try {
    for await (const piece of readUntilGone(body, sending.gone, sending.failed)) {
      if (over || sending.gone.aborted) return
      if (piece.length === 0) continue
      let ok = false
      let done = false
      response.cork(() => {
        ;[ok, done] = framing.write(piece)
      })
      if (done) return end()
      if (!ok) {
        sending.waits(piece.length)
        await new Promise<void>((resolve) => {
          drained = resolve
        })
      }
      if (over || sending.gone.aborted) return
      sending.waits(0)
      sending.progress()
    }
    if (!over && !sending.gone.aborted) framing.end()
  } catch (fault) {
    sending.failed(fault)
    if (!over && !sending.gone.aborted) response.close()
  }
}

function announced(response: UwsResponse, length: number): FrameState {
  let piece: Uint8Array = new Uint8Array()
  let before = 0
  return {
    write(next) {
      piece = next
      before = response.getWriteOffset()
      return response.tryEnd(piece, length)
    },
    goOn: (offset) => response.tryEnd(piece.subarray(offset - before), length),
    // Fewer bytes than announced: the connection is closed, so that the client notices.
    end: () => void response.close(),
  }
}

/** uWebSockets.js frames the chunks, and buffers the bytes that the socket did not accept. */
function chunked(response: UwsResponse, ended: () => void): FrameState {
  return {
    write: (piece) => [response.write(piece), false],
    goOn: () => [true, false],
    end() {
      response.cork(() => void response.end(''))
      ended()
    },
  }
}
