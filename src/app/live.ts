// Holds the generation that answers requests. A request reads the pointer once and stays in its generation to the end;
// `swap` resolves when the last answer of the replaced generation was sent.

import type { Reply } from '../http/reply.ts'
import type { Lease } from '../http/request.ts'
import type { ServedHandler } from '../http/server.ts'
import type { Generation } from './generation.ts'

/** A generation with a count of its uses: by running handlers, and by answers that are not sent yet. */
class GenerationLease implements Lease {
  readonly generation: Generation
  #uses = 0
  #ended: (() => void) | undefined

  constructor(generation: Generation) {
    this.generation = generation
  }

  use(count: number): void {
    this.#uses += count
  }

  release(): void {
    this.#uses -= 1
    if (this.#uses === 0) this.#ended?.()
  }

  /** Resolves when nothing uses the generation any more; called once it is replaced. */
  over(): Promise<void> {
    if (this.#uses === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#ended = resolve
    })
  }
}

export interface Live {
  readonly current: Generation
  /** The handler for the transports; it always calls the current generation. */
  readonly handler: ServedHandler
  /** Replaces the generation. Resolves when the last answer of the old one was sent. */
  swap(next: Generation): Promise<void>
}

export function createLive(first: Generation): Live {
  let current = new GenerationLease(first)

  return {
    get current() {
      return current.generation
    },
    handler(request): Reply | Promise<Reply> {
      const own = current
      // Two uses, the handler and the answer: a handler may go on after its request ended (deadline, disconnect).
      own.use(2)
      request.lease = own
      let reply: Reply | Promise<Reply>
      try {
        reply = own.generation.handler(request)
      } catch (error) {
        own.release()
        throw error
      }
      if (!(reply instanceof Promise)) {
        own.release()
        return reply
      }
      return reply.finally(() => own.release())
    },
    swap(next) {
      const old = current
      current = new GenerationLease(next)
      return old.over()
    },
  }
}
