// Implements Database on SQLite in memory; all requests share one engine. A broken one is replaced from its
// last snapshot; until then requests get a 503 with Retry-After.

import { ApiError } from '../../../lib/errors/api-error.ts'
import { invariant } from '../../../lib/errors/invariant.ts'
import { waitForTurn } from '../../../lib/next-turn.ts'
import {
  type ContentCopies,
  type Database,
  type DatabaseReader,
  EngineFailure,
  type Snapshot,
  StatementFailure,
  type Work,
} from '../../database.ts'
import type { EngineWatch } from '../../driver.ts'
import { type Statement, statement } from '../../sql/statement.ts'
import { finishWork, runSlice, UnfinishedWork } from '../sqlite/finish-work.ts'
import { LongReads } from '../sqlite/long-reads.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { TransactionHolds } from '../sqlite/transaction-holds.ts'
import { SqlJsEngine } from './sql-js-engine.ts'

const BEGIN = statement('begin immediate', false)
const COMMIT = statement('commit', false)
const ROLLBACK = statement('rollback', false)
const SAVE = statement('savepoint work', false)
const RELEASE = statement('release work', false)
const ROLLBACK_TO_SAVE = statement('rollback to work', false)

export class MemoryDatabase implements Database, ContentCopies {
  readonly dialect = sqliteDialect
  readonly durable = false
  readonly server = undefined
  readonly copies = this
  readonly #watch: EngineWatch
  #engine: SqlJsEngine | undefined
  #replacing: Promise<void> | undefined
  #last: Snapshot | undefined
  #closed = false
  #entered = false
  readonly #longReads = new LongReads()
  /** Never rejects. */
  #longWrite: Promise<unknown> | undefined
  #replacements = 0
  readonly #holds = new TransactionHolds({
    ready: () => this.#longReads.over,
    begin: () => this.#step(BEGIN, false),
    commit: () => this.#step(COMMIT, false),
    rollback: () => this.#step(ROLLBACK, true),
    save: (name) => this.#step(statement(`savepoint ${name}`, false), false),
    release: (name) => this.#step(statement(`release ${name}`, false), false),
    rollbackTo: (name) => this.#step(statement(`rollback to ${name}`, false), true),
  })

  private constructor(engine: SqlJsEngine, watch: EngineWatch) {
    this.#engine = engine
    this.#watch = watch
  }

  static async open(watch: EngineWatch = {}, content?: Snapshot): Promise<MemoryDatabase> {
    return new MemoryDatabase(await SqlJsEngine.open(content), watch)
  }

  get prepared(): number {
    return this.#engine?.prepared ?? 0
  }

  get outsideChanges(): number {
    return this.#replacements
  }

  read<T>(work: () => Work<T>): T | Promise<T> {
    const held = this.#holds.waitFor
    if (held !== undefined) return held.then(() => this.read(work))
    // New reads wait behind a waiting write; otherwise the write might wait forever.
    if (this.#longReads.awaited && !this.#holds.own) return this.#afterLongReads(() => this.read(work))
    const slice = this.#enter((engine) => runSlice(work(), engine, true))
    if (!(slice instanceof UnfinishedWork)) return slice
    if (this.#holds.held) return this.#enter((engine) => slice.finish(engine))
    const replacements = this.#replacements
    return this.#longReads.run(slice, (resume) =>
      this.#enter((engine) =>
        replacements === this.#replacements ? resume(engine) : slice.fail(unavailable(undefined)),
      ),
    )
  }

  transaction<T>(work: () => Work<T>): T | Promise<T> {
    const held = this.#holds.waitFor
    if (held !== undefined) return held.then(() => this.transaction(work))
    if (this.#longReads.running > 0 && !this.#holds.own)
      return this.#afterLongReads(() => this.transaction(work))
    return this.#holds.own ? this.#within(work) : this.#whole(work)
  }

  /** A long transaction returns to the event loop between its statements; no other work runs until its commit. */
  #whole<T>(work: () => Work<T>): T | Promise<T> {
    const slice = this.#enter((engine) => {
      engine.run(BEGIN, [], false)
      return undoing(engine, [ROLLBACK], () => {
        const first = runSlice(work(), engine, false)
        if (!(first instanceof UnfinishedWork)) engine.run(COMMIT, [], false)
        return first
      })
    })
    if (!(slice instanceof UnfinishedWork)) return slice
    const rest = this.#holds.complete(async () => {
      let next: T | UnfinishedWork<T> = slice
      while (next instanceof UnfinishedWork) {
        await waitForTurn()
        const unfinished: UnfinishedWork<T> = next
        next = this.#enter((engine) => unfinished.resume(engine))
      }
      return next
    })
    this.#longWrite = rest.catch(() => undefined)
    return rest
  }

  #within<T>(work: () => Work<T>): T {
    return this.#enter((engine) => {
      engine.run(SAVE, [], false)
      return undoing(engine, [ROLLBACK_TO_SAVE, RELEASE], () => {
        const result = finishWork(work(), engine, false)
        engine.run(RELEASE, [], false)
        return result
      })
    })
  }

  async #afterLongReads<T>(ask: () => T | Promise<T>): Promise<T> {
    await this.#longReads.over
    return ask()
  }

  hold<T>(task: () => Promise<T>): Promise<T> {
    return this.#holds.run(task)
  }

  /** Only this process has the database. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return task()
  }

  /** Reads a copy, so that writes need not wait. */
  async readOneState<T>(task: (reader: DatabaseReader) => Promise<T>): Promise<T> {
    while (this.#holds.waitFor !== undefined) await this.#holds.waitFor
    const copy = await MemoryDatabase.open({}, this.snapshot())
    try {
      return await task(copy)
    } finally {
      await copy.close()
    }
  }

  get writing(): boolean {
    return this.#holds.held
  }

  snapshot(): Snapshot {
    this.#assertNotHeld()
    return this.#enter((engine) => {
      this.#last = engine.copy()
      return this.#last
    })
  }

  restore(snapshot: Snapshot): void {
    this.#assertNotHeld()
    this.#enter((engine) => engine.restore(snapshot))
    this.#last = snapshot
    this.#replacements += 1
  }

  async close(): Promise<void> {
    await this.#longReads.over
    await this.#longWrite
    this.#closed = true
    await this.#replacing
    this.#engine?.close()
    this.#engine = undefined
  }

  /** Throws while a transaction is open, because a snapshot or a restore would end it. */
  #assertNotHeld(): void {
    if (this.writing)
      throw new TypeError('a write is not done yet, or waits for a lifecycle hook: ask again when it is done')
  }

  /** An engine that replaced a broken one does not have the transaction. */
  #step(text: Statement, undo: boolean): void {
    this.#enter((engine) => (undo ? rollback(engine, text) : engine.run(text, [], false)))
  }

  #enter<T>(task: (engine: SqlJsEngine) => T): T {
    invariant(!this.#entered, 'work started within other work of the same database')
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
      this.#replacements += 1
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

function undoing<T>(engine: SqlJsEngine, undo: readonly Statement[], task: () => T): T {
  try {
    return task()
  } catch (error) {
    if (!(error instanceof EngineFailure)) for (const step of undo) rollback(engine, step)
    throw error
  }
}

/** Some failures (out of memory) roll back by themselves. */
function rollback(engine: SqlJsEngine, step: Statement): void {
  try {
    engine.run(step, [], false)
  } catch (error) {
    if (!(error instanceof StatementFailure && GONE.test(error.message))) throw error
  }
}

const GONE = /no transaction is active|no such savepoint/

function unavailable(cause: EngineFailure | undefined): ApiError {
  const error = new ApiError(
    'ServiceUnavailableError',
    'The database is restarting',
    {},
    { 'retry-after': '1' },
  )
  if (cause !== undefined) error.cause = cause
  return error
}
