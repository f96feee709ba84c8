// A transaction of an embedded engine that lasts longer than a turn of the event loop. Mostly it waits for users' code
// (decision 0035): the one connection is theirs as long as it waits. What they ask of the database meanwhile joins the
// transaction; everyone else's work comes after it.

import { AsyncLocalStorage } from 'node:async_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import { ApiError } from '../errors/api-error.ts'

/** Whoever waits longer than this would keep everybody from the database: the transaction is undone. */
const LONGEST_HOLD = 10_000

/** Hooks that write what runs hooks: so deep and no further. */
const MOST_NESTED = 10

export interface HoldSteps {
  /** Resolves when a transaction may begin; undefined: now. */
  ready?(): Promise<void> | undefined
  begin(): void
  commit(): void
  rollback(): void
  /** The same within a transaction. */
  save(name: string): void
  release(name: string): void
  rollbackTo(name: string): void
}

interface Hold {
  readonly released: Promise<void>
  /** Transactions within wait for each other. */
  within: Promise<unknown>
  over: boolean
}

interface Place {
  readonly hold: Hold
  readonly depth: number
}

export class TransactionHolds {
  readonly #steps: HoldSteps
  readonly #places = new AsyncLocalStorage<Place>()
  readonly #longest: number
  #current: Hold | undefined

  constructor(steps: HoldSteps, longest = LONGEST_HOLD) {
    this.#steps = steps
    this.#longest = longest
  }

  get held(): boolean {
    return this.#current !== undefined
  }

  /** What work must wait for; undefined when the database is free, or held by the one who asks. */
  get waitFor(): Promise<void> | undefined {
    return this.#current === undefined || this.own ? undefined : this.#current.released
  }

  /** Whether the work that asks belongs to the open transaction. */
  get own(): boolean {
    return this.#current !== undefined && this.#places.getStore()?.hold === this.#current
  }

  get #notYet(): Promise<void> | undefined {
    return this.#current === undefined ? this.#steps.ready?.() : this.#current.released
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const place = this.#places.getStore()
    if (place !== undefined && place.hold === this.#current) return this.#nested(place, task)
    for (let wait = this.#notYet; wait !== undefined; wait = this.#notYet) await wait
    this.#steps.begin()
    return this.finish(task)
  }

  /** The same for a transaction that has begun. */
  async finish<T>(task: () => Promise<T>): Promise<T> {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const hold: Hold = { released, within: Promise.resolve(), over: false }
    this.#current = hold
    try {
      const result = await this.#inTime(this.#places.run({ hold, depth: 1 }, task))
      this.#steps.commit()
      return result
    } catch (error) {
      this.#steps.rollback()
      throw error
    } finally {
      hold.over = true
      this.#current = undefined
      release()
    }
  }

  #nested<T>({ hold, depth }: Place, task: () => Promise<T>): Promise<T> {
    if (depth >= MOST_NESTED) {
      const message = `lifecycle hooks write entries whose hooks write entries, ${MOST_NESTED} levels deep`
      return Promise.reject(new Error(message))
    }
    const name = `held_${depth}`
    const run = async (): Promise<T> => {
      if (hold.over) throw new Error('the transaction of this hook is over')
      this.#steps.save(name)
      try {
        const result = await this.#places.run({ hold, depth: depth + 1 }, task)
        if (!hold.over) this.#steps.release(name)
        return result
      } catch (error) {
        if (!hold.over) this.#steps.rollbackTo(name)
        throw error
      }
    }
    // One level down, those before it are its own ancestors: to wait for them would be to wait for itself.
    if (depth > 1) return run()
    const done = hold.within.then(run, run)
    hold.within = done.catch(() => {})
    return done
  }

  #inTime<T>(task: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const message = 'a lifecycle hook took too long: the write was undone'
        reject(new ApiError('ServiceUnavailableError', message))
      }, this.#longest)
      task.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }
}
