// Which generation answers. A request takes the pointer once and stays in its generation to the end; a generation
// that was replaced is told when its last request has been answered.

import type { Handler, Reply } from '../http/reply.ts'
import type { Generation } from './generation.ts'

interface Lease {
  readonly generation: Generation
  running: number
  /** Called once, when the generation was replaced and nothing runs in it any more. */
  drained: (() => void) | undefined
}

export interface Live {
  readonly current: Generation
  /** The one handler that the transports know. */
  readonly handler: Handler
  /** How many generations still have requests running, the current one included. */
  readonly alive: number
  /** One assignment. Resolves when the replaced generation is drained. */
  swap(next: Generation): Promise<void>
}

export function createLive(first: Generation): Live {
  let lease: Lease = { generation: first, running: 0, drained: undefined }
  const draining = new Set<Lease>()

  function leave(from: Lease): void {
    from.running -= 1
    if (from.running === 0 && from.drained !== undefined) {
      draining.delete(from)
      from.drained()
    }
  }

  return {
    get current() {
      return lease.generation
    },
    get alive() {
      return draining.size + 1
    },
    handler(request): Reply | Promise<Reply> {
      const own = lease
      own.running += 1
      let reply: Reply | Promise<Reply>
      try {
        reply = own.generation.handler(request)
      } catch (error) {
        leave(own)
        throw error
      }
      if (!(reply instanceof Promise)) {
        leave(own)
        return reply
      }
      return reply.finally(() => leave(own))
    },
    swap(next) {
      const old = lease
      lease = { generation: next, running: 0, drained: undefined }
      if (old.running === 0) return Promise.resolve()
      draining.add(old)
      return new Promise((resolve) => {
        old.drained = resolve
      })
    },
  }
}
