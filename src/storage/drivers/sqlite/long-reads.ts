// Runs long reads in slices, so that other requests are served between them.

import { waitForTurn } from '../../../lib/next-turn.ts'
import { type Engine, UnfinishedWork } from './finish-work.ts'

export class LongReads {
  #running = 0
  #over: Promise<void> | undefined
  #end = (): void => {}

  /** The caller counts as waiting (`awaited`). */
  get over(): Promise<void> | undefined {
    if (this.#running === 0) return undefined
    this.#over ??= new Promise((resolve) => {
      this.#end = resolve
    })
    return this.#over
  }

  get awaited(): boolean {
    return this.#over !== undefined
  }

  get running(): number {
    return this.#running
  }

  async run<T>(
    first: UnfinishedWork<T>,
    enter: (resume: (engine: Engine) => T | UnfinishedWork<T>) => T | UnfinishedWork<T>,
  ): Promise<T> {
    this.#running += 1
    try {
      let slice: T | UnfinishedWork<T> = first
      while (slice instanceof UnfinishedWork) {
        await waitForTurn()
        const unfinished: UnfinishedWork<T> = slice
        slice = enter((engine) => unfinished.resume(engine))
      }
      return slice
    } finally {
      this.#running -= 1
      if (this.#running === 0) {
        this.#end()
        this.#over = undefined
      }
    }
  }
}
