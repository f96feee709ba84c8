// Holds the app that answers requests. A request stays in its app to the end, even after a reload.

import type { Reply } from '../http/reply.ts'
import type { Lease } from '../http/request.ts'
import type { ServedHandler } from '../http/server.ts'
import type { App } from './app.ts'

class AppLease implements Lease {
  readonly app: App
  #uses = 0
  #ended: (() => void) | undefined

  constructor(app: App) {
    this.app = app
  }

  use(count: number): void {
    this.#uses += count
  }

  release(): void {
    this.#uses -= 1
    if (this.#uses === 0) this.#ended?.()
  }

  over(): Promise<void> {
    if (this.#uses === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#ended = resolve
    })
  }
}

interface CurrentApp {
  readonly app: App
  readonly handler: ServedHandler
  replace(next: App): Promise<void>
}

export function createCurrentApp(first: App): CurrentApp {
  let current = new AppLease(first)

  return {
    get app() {
      return current.app
    },
    handler(request): Reply | Promise<Reply> {
      const own = current
      // Two uses, the handler and the response: a handler may go on after its request ended (deadline,
      // disconnect).
      own.use(2)
      request.lease = own
      let reply: Reply | Promise<Reply>
      try {
        reply = own.app.handler(request)
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
    replace(next) {
      const old = current
      current = new AppLease(next)
      return old.over()
    },
  }
}
