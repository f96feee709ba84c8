// Transactions that stay open while users' code runs (decision 0035). What that code asks of the database meanwhile is
// part of its transaction; a hold within a hold is a savepoint of it.

import { clearTimeout, setTimeout } from 'node:timers'
import { ApiError } from '../errors/api-error.ts'
import { AsyncContext } from '../util/async-context.ts'

/** Whoever waits longer than this would keep others from the database, or from the rows it locked: it is undone. */
const LONGEST_HOLD = 10_000

/** Hooks that write what runs hooks: so deep and no further. */
const MOST_NESTED = 10

/** A transaction that has begun, as its database ends it and marks places in it. */
export interface OpenTransaction {
  commit(): void | Promise<void>
  /** Also where `commit` failed. */
  rollback(): void | Promise<void>
  save(name: string): void | Promise<void>
  release(name: string): void | Promise<void>
  rollbackTo(name: string): void | Promise<void>
}

interface Hold<T> {
  readonly transaction: T
  /** Transactions within wait for each other. */
  within: Promise<unknown>
  /** Nothing joins it any more. */
  over: boolean
}

interface HoldContext<T> {
  readonly hold: Hold<T>
  readonly depth: number
}

export class HeldTransactions<T extends OpenTransaction> {
  readonly #places = new AsyncContext<HoldContext<T>>()
  readonly #longest: number

  constructor(longest = LONGEST_HOLD) {
    this.#longest = longest
  }

  /** The open transaction that the work that asks belongs to. */
  get own(): T | undefined {
    const hold = this.#places.get()?.hold
    return hold?.over === false ? hold.transaction : undefined
  }

  /** `begin` is asked for a transaction where the task does not belong to one. */
  run<R>(begin: () => Promise<T>, task: () => Promise<R>): Promise<R> {
    const place = this.#places.get()
    if (place?.hold.over === false) return this.#nested(place, task)
    return begin().then((transaction) => this.finish(transaction, task))
  }

  /** Ends the transaction when the task is done. */
  async finish<R>(transaction: T, task: () => Promise<R>): Promise<R> {
    const hold: Hold<T> = { transaction, within: Promise.resolve(), over: false }
    try {
      const result = await this.#inTime(this.#places.run({ hold, depth: 1 }, task))
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
    if (depth >= MOST_NESTED) {
      throw new Error(`lifecycle hooks write entries whose hooks write entries, ${MOST_NESTED} levels deep`)
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
    // One level down, those before it are its own ancestors: to wait for them would be to wait for itself.
    if (depth > 1) return run()
    const done = hold.within.then(run, run)
    hold.within = done.catch(() => {})
    return done
  }

  #inTime<R>(task: Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const message = 'the write took too long, and nothing of it was kept'
        reject(new ApiError('ServiceUnavailableError', message))
      }, this.#longest)
      task.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }
}
