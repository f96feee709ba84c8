// A transaction that stays open while users' code runs (decision 0035): what that code asks of the database joins it,
// each piece of work behind a savepoint, one after the other. Others are served by other connections meanwhile.

import { AsyncLocalStorage } from 'node:async_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import { ApiError } from '../../errors/api-error.ts'
import type { Work } from '../database.ts'
import type { Lent } from './connections.ts'
import { finishWork, StepFailed } from './finish-work.ts'
import { failureOf } from './postgres-failure.ts'
import type { Sent } from './statement-batch.ts'
import { command, commit, ROLLBACK, settle } from './transaction-steps.ts'

/** Locks of rows are kept as long: past it the transaction is undone. */
const LONGEST_HOLD = 10_000
/** Hooks that write what runs hooks: so deep and no further. */
const MOST_NESTED = 10
/** How often a piece of work is tried that others were in the way of. */
const TRIES = 5

const SAVE = command('savepoint work')
const RELEASE = command('release savepoint work')
const UNDO = command('rollback to savepoint work')

interface Place {
  readonly held: Held
  readonly depth: number
}

export class HeldTransactions {
  readonly #places = new AsyncLocalStorage<Place>()
  readonly #longest: number

  constructor(longest = LONGEST_HOLD) {
    this.#longest = longest
  }

  /** The open transaction that the work that asks belongs to. */
  get own(): Held | undefined {
    const held = this.#places.getStore()?.held
    return held?.over === false ? held : undefined
  }

  /** `begin` is asked for a connection on which the transaction was begun. */
  async run<T>(begin: () => Promise<Lent>, task: () => Promise<T>): Promise<T> {
    const place = this.#places.getStore()
    if (place !== undefined && !place.held.over) return this.#nested(place, task)
    const lent = await begin()
    const held = new Held(lent)
    let result: T
    try {
      result = await this.#inTime(this.#places.run({ held, depth: 1 }, task))
    } catch (error) {
      await held.end()
      await settle(lent, ROLLBACK)
      throw error
    }
    await held.end()
    try {
      await commit(lent)
    } catch (error) {
      throw error instanceof StepFailed ? error.outcome : error
    }
    lent.release(false)
    return result
  }

  async #nested<T>({ held, depth }: Place, task: () => Promise<T>): Promise<T> {
    if (depth >= MOST_NESTED) {
      throw new Error(`lifecycle hooks write entries whose hooks write entries, ${MOST_NESTED} levels deep`)
    }
    const run = async (): Promise<T> => {
      const name = `held_${depth}`
      await held.send(command(`savepoint ${name}`))
      try {
        const result = await this.#places.run({ held, depth: depth + 1 }, task)
        await held.send(command(`release savepoint ${name}`))
        return result
      } catch (error) {
        if (!held.over) await held.send(command(`rollback to savepoint ${name}`))
        throw error
      }
    }
    // One level down, those before it are its own ancestors: to wait for them would be to wait for itself.
    return depth > 1 ? run() : held.afterOthers(run)
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

/** One open transaction, and the queue of what is asked within it. */
export class Held {
  readonly #lent: Lent
  #working: Promise<unknown> = Promise.resolve()
  #nested: Promise<unknown> = Promise.resolve()
  over = false

  constructor(lent: Lent) {
    this.#lent = lent
  }

  /** Runs work as a part of the transaction; where it fails, only its own part is undone. */
  work<T>(make: () => Work<T>): Promise<T> {
    return this.#inTurn(async () => {
      for (let tries = 1; ; tries++) {
        await this.#say(SAVE)
        try {
          const { result } = await finishWork(make(), this.#lent, { before: [], after: [] })
          await this.#say(RELEASE)
          return result
        } catch (error) {
          await this.#say(UNDO).catch(() => {})
          if (!(error instanceof StepFailed)) throw error
          if (error.trouble !== 'conflict' || tries === TRIES) throw error.outcome
        }
      }
    })
  }

  send(statement: Sent): Promise<void> {
    return this.#inTurn(() => this.#say(statement))
  }

  /** Transactions within wait for each other. */
  afterOthers<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#nested.then(task, task)
    this.#nested = done.catch(() => {})
    return done
  }

  /** Nothing joins it any more; resolves when what runs is done. */
  async end(): Promise<void> {
    this.over = true
    await this.#working
  }

  async #say(statement: Sent): Promise<void> {
    try {
      await this.#lent.send([statement])
    } catch (error) {
      throw failureOf(error, statement.text)
    }
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      if (this.over) throw new Error('the transaction of this hook is over')
      return task()
    }
    const done = this.#working.then(run, run)
    this.#working = done.catch(() => {})
    return done
  }
}
