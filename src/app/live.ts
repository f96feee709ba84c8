// Which generation answers. A request takes the pointer once and stays in its generation to the end; a generation
// that was replaced is told when the last answer of it has been sent.

import type { Reply } from '../http/reply.ts'
import type { Lease } from '../http/request.ts'
import type { ServedHandler } from '../http/server.ts'
import type { Generation } from './generation.ts'

/** A generation, and how much of it is in use: by handlers that run, and by answers that are not sent yet. */
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

  /** Once the generation is replaced: when nothing uses it any more. */
  over(): Promise<void> {
    if (this.#uses === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#ended = resolve
    })
  }
}

export interface Live {
  readonly current: Generation
  /** The one handler that the transports know. */
  readonly handler: ServedHandler
  /** One assignment. Resolves when the last answer of the replaced generation is sent. */
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
      // Two, because a handler may go on after its request was answered: the deadline has passed, or the client has gone.
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
