// Holds transactions open while users' code runs (decision 0004); a hold within a hold is a savepoint.

import { clearTimeout, setTimeout } from 'node:timers'
import { AsyncContext } from '../lib/async-context.ts'
import { ApiError } from '../lib/errors/api-error.ts'

/** Milliseconds after which a held transaction is undone, because it blocks others or the rows that it locked. */
const MAX_HOLD_MS = 10_000

/** The nesting depth of hooks that write entries whose own hooks write. */
const MAX_DEPTH = 10

export interface OpenTransaction {
  commit(): void | Promise<void>
  /** Also called after `commit` failed. */
  rollback(): void | Promise<void>
  save(name: string): void | Promise<void>
  release(name: string): void | Promise<void>
  rollbackTo(name: string): void | Promise<void>
}

interface Hold<T> {
  readonly transaction: T
  /** They run one after the other. */
  within: Promise<unknown>
  over: boolean
}

interface HoldContext<T> {
  readonly hold: Hold<T>
  readonly depth: number
}

export class HeldTransactions<T extends OpenTransaction> {
  readonly #places = new AsyncContext<HoldContext<T>>()
  readonly #longest: number

  constructor(longest = MAX_HOLD_MS) {
    this.#longest = longest
  }

  get own(): T | undefined {
    const hold = this.#places.get()?.hold
    return hold?.over === false ? hold.transaction : undefined
  }

  run<R>(begin: () => Promise<T>, task: () => Promise<R>): Promise<R> {
    const place = this.#places.get()
    if (place?.hold.over === false) return this.#nested(place, task)
    return begin().then((transaction) => this.finish(transaction, task))
  }

  async finish<R>(transaction: T, task: () => Promise<R>): Promise<R> {
    const hold: Hold<T> = { transaction, within: Promise.resolve(), over: false }
    try {
      const result = await this.#withTimeout(this.#places.run({ hold, depth: 1 }, task))
      hold.over = true
      await transaction.commit()
      return result
    } catch (error) {
      hold.over = true
      await transaction.rollback()
      throw error
    }
  }

  async #nested<R>({ hold, depth }: HoldContext<T>, task: () => Promise<R>): Promise<R> {
    if (depth >= MAX_DEPTH) {
      throw new Error(`lifecycle hooks write entries whose hooks write entries, ${MAX_DEPTH} levels deep`)
    }
    const { transaction } = hold
    const name = `held_${depth}`
    const run = async (): Promise<R> => {
      if (hold.over) throw new Error('the transaction of this hook is over')
      await transaction.save(name)
      try {
        const result = await this.#places.run({ hold, depth: depth + 1 }, task)
        if (!hold.over) await transaction.release(name)
        return result
      } catch (error) {
        if (!hold.over) await transaction.rollbackTo(name)
        throw error
      }
    }
    // From the second depth on, the running transactions include its own parents: waiting for them would
    // never end.
    if (depth > 1) return run()
    const done = hold.within.then(run, run)
    hold.within = done.catch(() => {})
    return done
  }

  #withTimeout<R>(task: Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const message = 'the write took too long and was rolled back'
        reject(new ApiError('ServiceUnavailableError', message))
      }, this.#longest)
      task.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }
}
