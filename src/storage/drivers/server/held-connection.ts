// Holds a transaction open on its own connection while users' code runs; each piece of work has a savepoint.

import type { Work } from '../../database.ts'
import type { OpenTransaction } from '../../held-transactions.ts'
import { finishWork, StepError } from './finish-work.ts'
import { command, type SentStatement, type ServerConnection, type ServerEngine } from './server-engine.ts'
import { commit, ROLLBACK, settle } from './transaction-steps.ts'

const MAX_ATTEMPTS = 5

const SAVE = command('savepoint work')
const RELEASE = command('release savepoint work')
const UNDO = command('rollback to savepoint work')

export class HeldConnection implements OpenTransaction {
  readonly #connection: ServerConnection
  readonly #engine: ServerEngine
  #working: Promise<unknown> = Promise.resolve()
  #over = false
  #lost = false
  /** Why the server ended the transaction by itself. */
  #ended: unknown
  /** Whether the savepoint of the last work is left: it goes with the next statement, which saves a round trip. */
  #saved = false

  constructor(connection: ServerConnection, engine: ServerEngine) {
    this.#connection = connection
    this.#engine = engine
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
          const around = { before, after: [], onBegin }
          const { result } = await finishWork(make(), this.#connection, this.#engine, around)
          if (began) this.#saved = true
          return result
        } catch (error) {
          const isThere = !began || (await this.#undo(error))
          if (!(error instanceof StepError)) throw error
          if (!isThere || error.failureKind !== 'conflict' || tries === MAX_ATTEMPTS) throw error.outcome
        }
      }
    })
  }

  /** False if the server has undone the whole transaction, as MySQL does after a deadlock: what came next would be no part of it. */
  async #undo(reason: unknown): Promise<boolean> {
    try {
      await this.#connection.send([UNDO, RELEASE])
      return true
    } catch {
      this.#ended = reason instanceof StepError ? reason.outcome : reason
      return false
    }
  }

  async commit(): Promise<void> {
    await this.#end()
    if (this.#ended !== undefined) throw this.#ended
    try {
      await commit(this.#connection, this.#engine)
    } catch (error) {
      this.#lost = true
      throw error instanceof StepError ? error.outcome : error
    }
    this.#connection.release(false)
  }

  async rollback(): Promise<void> {
    await this.#end()
    if (!this.#lost) await settle(this.#connection, [ROLLBACK])
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

  async #say(statements: readonly SentStatement[]): Promise<void> {
    try {
      await this.#connection.send(statements)
    } catch (error) {
      throw this.#engine.buildFailure(error, statements.map(({ text }) => text).join('; '))
    }
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      if (this.#over) throw new Error('the transaction of this hook is over')
      if (this.#ended !== undefined) throw this.#ended
      return task()
    }
    const done = this.#working.then(run, run)
    this.#working = done.catch(() => {})
    return done
  }
}
