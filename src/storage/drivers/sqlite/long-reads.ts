// Long reads, which run in slices of time so that other requests are served between them.

import { nextTurn } from '../../../lib/next-turn.ts'
import { type Engine, UnfinishedWork } from './finish-work.ts'

export class LongReads {
  #running = 0
  #over: Promise<void> | undefined
  #end = (): void => {}

  /** Resolves when no long read is running; undefined if none is. The caller counts as waiting (`awaited`). */
  get over(): Promise<void> | undefined {
    if (this.#running === 0) return undefined
    this.#over ??= new Promise((resolve) => {
      this.#end = resolve
    })
    return this.#over
  }

  /** Whether some work waits until all long reads are done. */
  get awaited(): boolean {
    return this.#over !== undefined
  }

  get running(): number {
    return this.#running
  }

  /** `enter` calls `resume` with the engine, or throws. */
  async run<T>(
    first: UnfinishedWork<T>,
    enter: (resume: (engine: Engine) => T | UnfinishedWork<T>) => T | UnfinishedWork<T>,
  ): Promise<T> {
    this.#running += 1
    try {
      let slice: T | UnfinishedWork<T> = first
      while (slice instanceof UnfinishedWork) {
        await nextTurn()
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
