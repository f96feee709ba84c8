// A body that is made piece by piece -> uWebSockets.js's response, no faster than its socket drains.

import type { BodyStream } from './reply.ts'
import type { UwsResponse } from './uws-binding.ts'

export interface Sending {
  /** Aborted when the response is dead: nothing may touch it then. */
  readonly gone: AbortSignal
  /** Called for every piece that the socket took. */
  progress(): void
  /** Called once, when the last byte is out. */
  ended(): void
  failed(fault: unknown): void
}

/** Writes the body behind a head that was written already; cuts the connection where the body breaks off. */
export async function sendStream(response: UwsResponse, body: BodyStream, sending: Sending): Promise<void> {
  let drained: (() => void) | undefined
  let piece: Uint8Array = new Uint8Array()
  let before = 0
  response.onWritable((offset) => {
    const [ok, done] = response.tryEnd(piece.subarray(offset - before), body.length)
    if (done) sending.ended()
    if (ok || done) drained?.()
    return ok
  })
  try {
    for await (const chunk of body.chunks()) {
      if (sending.gone.aborted) return
      piece = chunk
      before = response.getWriteOffset()
      let ok = false
      let done = false
      response.cork(() => {
        ;[ok, done] = response.tryEnd(chunk, body.length)
      })
      if (done) return sending.ended()
      if (!ok) {
        await new Promise<void>((resolve) => {
          drained = resolve
          sending.gone.addEventListener('abort', () => resolve(), { once: true })
        })
      }
      if (sending.gone.aborted) return
      sending.progress()
    }
    // Fewer bytes than were announced: the reader must not take them for all.
    response.close()
  } catch (fault) {
    sending.failed(fault)
    if (!sending.gone.aborted) response.close()
  }
}
