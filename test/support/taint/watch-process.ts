// Watches the answers of `fetch` and the bytes of sockets. Loaded once in a worker, whose files share what is watched.

import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { search } from './trap.ts'

/** Answers of `fetch` in the process. */
globalThis.Response = new Proxy(Response, {
  construct(target, [body, init, ...rest]: ConstructorParameters<typeof Response> & unknown[], made) {
    if (typeof body === 'string' || body instanceof Uint8Array) search('answer', body)
    const watched = body instanceof ReadableStream ? watchedStream(body) : body
    const response = Reflect.construct(target, [watched, init, ...rest], made) as Response
    search('header', JSON.stringify([...response.headers]))
    return response
  },
})

function watchedStream(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  const watch = inPieces('answer')
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        watch(value)
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Long enough for the longest canary that a piece may end in. */
const OVERLAP = 4096

function inPieces(where: string): (piece: Uint8Array) => void {
  let before = Buffer.alloc(0)
  return (piece) => {
    const whole = Buffer.concat([before, piece])
    search(where, whole)
    before = Buffer.from(whole.subarray(-OVERLAP))
  }
}

type Watched = Socket & { server?: unknown; taint?: ((piece: Uint8Array) => void) | 'ignored' }

/** What other processes write, and what sockets are answered: HTTP only, a database may say what it holds. */
Socket.prototype.push = function (this: Watched, chunk: unknown, encoding?: BufferEncoding): boolean {
  if (chunk instanceof Uint8Array) {
    this.taint ??= kindOf(this, chunk)
    if (typeof this.taint === 'function') this.taint(chunk)
  }
  return Readable.prototype.push.call(this, chunk, encoding)
}

function kindOf(socket: Watched, first: Uint8Array): Watched['taint'] & {} {
  // A socket that was accepted hears requests.
  if (socket.server !== undefined && socket.server !== null) return 'ignored'
  if (socket.remotePort === undefined) return inPieces('process')
  return Buffer.from(first.subarray(0, 5)).toString() === 'HTTP/' ? inPieces('socket') : 'ignored'
}
