// A value for all that a task does, across everything it awaits. Node before 24 has every promise of the process cost more while
// an AsyncLocalStorage is in use (some 10 % of a read of one entry): it is switched off as soon as nobody is in it.

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

  /** Also in what the task does not wait for, as long as others are in the context: the value has to say that it is over. */
  get(): T | undefined {
    return this.#tasks === 0 ? undefined : this.#storage.getStore()
  }
}
