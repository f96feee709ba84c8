// SQLite in this process's memory as a Database: one engine that everyone shares, entered by one at a time. When
// the engine breaks it is replaced by a fresh one with the last snapshot, and requests meanwhile are told to retry.

import { ApiError } from '../../errors/api-error.ts'
import { invariant } from '../../errors/invariant.ts'
import { statement } from '../../sql/statement.ts'
import {
  type Answer,
  type Database,
  EngineFailure,
  isSteps,
  type Snapshot,
  StatementFailure,
  type Work,
} from '../database.ts'
import { SqlJsEngine } from './sql-js-engine.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

const BEGIN = statement('begin immediate', false)
const COMMIT = statement('commit', false)
const ROLLBACK = statement('rollback', false)

/** What the application wants to hear of a broken engine. */
export interface EngineWatch {
  /** The engine broke; a new one is being made. */
  broke?(failure: EngineFailure): void
  /** The new one works, with the content of the last snapshot, or empty when there was none. */
  replaced?(restored: boolean): void
  /** It could not be made. The next request tries again. */
  failed?(reason: unknown): void
}

export class MemoryDatabase implements Database {
  readonly dialect = sqliteDialect
  readonly durable = false
  readonly #watch: EngineWatch
  #engine: SqlJsEngine | undefined
  #replacing: Promise<void> | undefined
  #last: Uint8Array | undefined
  #closed = false
  /** Whether some work is inside: it must not ask the database for more work in its turn. */
  #entered = false

  private constructor(engine: SqlJsEngine, watch: EngineWatch) {
    this.#engine = engine
    this.#watch = watch
  }

  static async open(watch: EngineWatch = {}): Promise<MemoryDatabase> {
    return new MemoryDatabase(await SqlJsEngine.open(undefined), watch)
  }

  /** How many statements are kept prepared. */
  get prepared(): number {
    return this.#engine?.prepared ?? 0
  }

  read<T>(work: () => Work<T>): T {
    return this.#enter((engine) => finish(work(), engine, true))
  }

  transaction<T>(work: () => Work<T>): T {
    return this.#enter((engine) => {
      engine.run(BEGIN, [], false)
      let result: T
      try {
        result = finish(work(), engine, false)
        engine.run(COMMIT, [], false)
      } catch (error) {
        if (!(error instanceof EngineFailure)) rollback(engine)
        throw error
      }
      return result
    })
  }

  snapshot(): Snapshot {
    return this.#enter((engine) => {
      this.#last = engine.export()
      return { bytes: this.#last }
    })
  }

  restore(snapshot: Snapshot): void {
    this.#enter((engine) => engine.restore(snapshot.bytes))
    this.#last = snapshot.bytes
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#replacing
    this.#engine?.close()
    this.#engine = undefined
  }

  #enter<T>(task: (engine: SqlJsEngine) => T): T {
    invariant(!this.#entered, 'work within work: the database is entered already')
    invariant(!this.#closed, 'the database is closed')
    const engine = this.#engine
    if (engine === undefined) {
      this.#replace()
      throw unavailable(undefined)
    }
    this.#entered = true
    try {
      return task(engine)
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error
      this.#engine = undefined
      this.#watch.broke?.(error)
      this.#replace()
      throw unavailable(error)
    } finally {
      this.#entered = false
    }
  }

  #replace(): void {
    this.#replacing ??= SqlJsEngine.open(this.#last)
      .then(
        (engine) => {
          this.#engine = engine
          this.#watch.replaced?.(this.#last !== undefined)
        },
        (reason: unknown) => this.#watch.failed?.(reason),
      )
      .finally(() => {
        this.#replacing = undefined
      })
  }
}

/** Some failures (no memory left) have rolled back by themselves. */
function rollback(engine: SqlJsEngine): void {
  try {
    engine.run(ROLLBACK, [], false)
  } catch (error) {
    if (!(error instanceof StatementFailure && error.message.includes('no transaction is active')))
      throw error
  }
}

function finish<T>(work: Work<T>, engine: SqlJsEngine, reading: boolean): T {
  let next = work.next()
  while (!next.done) {
    const asked = next.value
    let answer: Answer
    try {
      answer = isSteps(asked)
        ? asked.map(({ statement, values }) => engine.run(statement, values, reading))
        : engine.run(asked.statement, asked.values, reading)
    } catch (error) {
      return giveUp(work, error)
    }
    next = work.next(answer)
  }
  return next.value
}

/** The work may clean up and may throw an error of its own instead, but not go on, nor hide that the engine broke. */
function giveUp<T>(work: Work<T>, error: unknown): never {
  try {
    work.throw(error)
  } catch (own) {
    throw error instanceof EngineFailure ? error : own
  }
  throw error
}

function unavailable(cause: EngineFailure | undefined): ApiError {
  const error = new ApiError(
    'ServiceUnavailableError',
    'The database is restarting',
    {},
    { 'Retry-After': '1' },
  )
  if (cause !== undefined) error.cause = cause
  return error
}
