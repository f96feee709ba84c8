// Holds a transaction open on its own connection while users' code runs; each piece of work has a savepoint.

import type { Work } from '../../database.ts'
import type { OpenTransaction } from '../../held-transactions.ts'
import type { PooledConnection } from './connections.ts'
import { finishWork, StepError } from './finish-work.ts'
import { buildFailure } from './postgres-failure.ts'
import type { SentBatch } from './statement-batch.ts'
import { command, commit, ROLLBACK, settle } from './transaction-steps.ts'

const MAX_ATTEMPTS = 5

const SAVE = command('savepoint work')
const RELEASE = command('release savepoint work')
const UNDO = command('rollback to savepoint work')

export class HeldConnection implements OpenTransaction {
  readonly #connection: PooledConnection
  #working: Promise<unknown> = Promise.resolve()
  #over = false
  #lost = false
  /** Whether the savepoint of the last work is left: it goes with the next statement, which saves a round trip. */
  #saved = false

  constructor(connection: PooledConnection) {
    this.#connection = connection
  }

  /** If the work fails, only this part of the transaction is undone. */
  work<T>(make: () => Work<T>): Promise<T> {
    return this.#inTurn(async () => {
      for (let tries = 1; ; tries++) {
        let began = false
        const onBegin = (): void => {
          began = true
          this.#saved = false
        }
        const before = this.#saved ? [RELEASE, SAVE] : [SAVE]
        try {
          const { result } = await finishWork(make(), this.#connection, { before, after: [], onBegin })
          if (began) this.#saved = true
          return result
        } catch (error) {
          if (began) await this.#connection.send([UNDO, RELEASE]).catch(() => {})
          if (!(error instanceof StepError)) throw error
          if (error.failureKind !== 'conflict' || tries === MAX_ATTEMPTS) throw error.outcome
        }
      }
    })
  }

  async commit(): Promise<void> {
    await this.#end()
    try {
      await commit(this.#connection)
    } catch (error) {
      this.#lost = true
      throw error instanceof StepError ? error.outcome : error
    }
    this.#connection.release(false)
  }

  async rollback(): Promise<void> {
    await this.#end()
    if (!this.#lost) await settle(this.#connection, ROLLBACK)
  }

  save(name: string): Promise<void> {
    return this.#inTurn(() => {
      const released = this.#saved ? [RELEASE] : []
      this.#saved = false
      return this.#say([...released, command(`savepoint ${name}`)])
    })
  }

  release(name: string): Promise<void> {
    return this.#endSave(`release savepoint ${name}`)
  }

  rollbackTo(name: string): Promise<void> {
    return this.#endSave(`rollback to savepoint ${name}`)
  }

  /** Also ends every later savepoint. */
  #endSave(text: string): Promise<void> {
    return this.#inTurn(() => {
      this.#saved = false
      return this.#say([command(text)])
    })
  }

  async #end(): Promise<void> {
    this.#over = true
    await this.#working
  }

  async #say(statements: readonly SentBatch[]): Promise<void> {
    try {
      await this.#connection.send(statements)
    } catch (error) {
      throw buildFailure(error, statements.map(({ text }) => text).join('; '))
    }
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      if (this.#over) throw new Error('the transaction of this hook is over')
      return task()
    }
    const done = this.#working.then(run, run)
    this.#working = done.catch(() => {})
    return done
  }
}
