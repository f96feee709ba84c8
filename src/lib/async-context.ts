// Keeps a value throughout an asynchronous task. Before Node 24, an AsyncLocalStorage in use slows every
// promise (some 10 % for a read of one entry), so it is disabled while no task runs.

import { AsyncLocalStorage } from 'node:async_hooks'

export class AsyncContext<T> {
  readonly #storage = new AsyncLocalStorage<T>()
  #tasks = 0

  async run<R>(value: T, task: () => Promise<R>): Promise<R> {
    this.#tasks += 1
    try {
      return await this.#storage.run(value, task)
    } finally {
      this.#tasks -= 1
      if (this.#tasks === 0) this.#storage.disable()
    }
  }

  /** Work that is not awaited may get the value after the task's end: the value has to mark its own end. */
  get(): T | undefined {
    return this.#tasks === 0 ? undefined : this.#storage.getStore()
  }
}
