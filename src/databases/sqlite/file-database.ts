// A Database on a file of SQLite. Reads return at once, from the last state that is on disk; writes are gathered by
// `group-commit.ts`; neither waits for the other. Between the statements of a long read, other requests are served: the
// long read keeps its connection, with the state that it sees, and the others get another connection. In a large file, a
// read with a statement that is expected to take long runs on connections of its own (decision 0328).

import { AsyncResource } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'
import type { ApiError } from '../../errors/api-error.ts'
import { InvariantError, invariant } from '../../errors/invariant.ts'
import { type SqlValue, statement } from '../../sql/statement.ts'
import { AsyncContext } from '../../util/async-context.ts'
import type { Database, DatabaseReader, Work } from '../database.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { FileLock } from './file-lock.ts'
import { FileMoved, type FilePlace } from './file-place.ts'
import { finishWork, runSlice, TAKES_LONG, Unfinished } from './finish-work.ts'
import { GroupCommit } from './group-commit.ts'
import type { LibsqlConnection } from './libsql-connection.ts'
import { LongReads } from './long-reads.ts'
import { LongStatements } from './long-statements.ts'
import type { ReaderApart } from './reader-apart.ts'
import { NoReader, ReadersApart } from './readers-apart.ts'
import { ShortReader } from './short-reader.ts'
import { fileDialect } from './sqlite-dialect.ts'
import { TransactionHolds } from './transaction-holds.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

const BEGIN_READ = statement('begin', false)
/** The first read of a transaction, which fixes the state that it sees. */
const LOOK = statement('select 1 from sqlite_schema limit 1', true)
const BEGIN = statement('begin immediate', false)
const COMMIT = statement('commit', false)
/** On one connection, it changes when another one has committed. */
const DATA_VERSION = statement('pragma data_version', true)

/** Milliseconds after which a read checks for writes of another program. A check costs as much as two small reads. */
const FRESH = 10

/** Limited, because each long read has a connection with up to 32 MB of pages. */
const MOST_LONG_READS = 3

/** Milliseconds between checks, also without writes, that the files still exist, and of their size. */
const LOOK_EVERY = 1000

/** Milliseconds that a statement of a migration, a seed or an import may take. */
export const PATIENCE = 3_600_000

/** Events of the file that the application is told about. */
export interface FileWatch {
  /** Writing has stopped until the next start. */
  stopped?(reason: unknown): void
  /** A write failed, and others may, too: no space, no access, a file that is damaged or locked. */
  refused?(reason: ApiError): void
  /** The write-ahead log could not be copied into the file; the log grows until it can. */
  behind?(reason: unknown): void
}

export interface FileParts {
  readonly reader: LibsqlConnection
  /** Opens another connection for reads. */
  openReader(): LibsqlConnection
  /** Opens a connection whose statements run on a thread. */
  openApart(): Promise<ReaderApart>
  /** How many of them read at the same time. */
  readonly mostApart: number
  /** From this size of the file on, in bytes, a statement may take long. */
  readonly largeFrom: number
  /** Milliseconds that a statement may take that is expected to take long. */
  readonly statementLimit: number
  readonly writer: LibsqlConnection
  readonly log: WriteAheadLog
  readonly place: FilePlace
  readonly checkpoints: Checkpoints
  readonly lock: FileLock | undefined
  readonly durability: 'full' | 'normal'
  readonly watch: FileWatch
}

export class FileDatabase implements Database {
  readonly dialect = fileDialect
  readonly durable = true
  readonly #parts: FileParts
  readonly #commits: GroupCommit
  readonly #holds: TransactionHolds
  /** The connection of all short reads. */
  #reader: ShortReader
  readonly #spare: ShortReader[] = []
  readonly #longReads = new LongReads()
  readonly #longStatements = new LongStatements()
  readonly #apart: ReadersApart
  #isLarge = false
  /** Set within a task whose statements may take long. */
  readonly #patient = new AsyncContext<true>()
  #reading = false
  /** When the current read transaction began; undefined when there is none. */
  #pinned: number | undefined
  /** Whether committed writes are not on disk yet, and so must not be visible. */
  #unsettled = false
  /** Called when committed writes are on disk, or writing has stopped because they are not. */
  #whenSettled: (() => void)[] = []
  #stopped = false
  #closed = false
  readonly #looking: NodeJS.Timeout
  /** How many tasks need the visible state to stay the same. */
  #statesHeld = 0
  /** Whether reads do not see the last commits, because a task held the visible state. */
  #behind = false
  #dataVersion: SqlValue | undefined
  #outsideChanges = 0

  constructor(parts: FileParts) {
    const { writer, log, place, checkpoints, durability, watch } = parts
    this.#parts = parts
    this.#reader = this.#shortReader(parts.reader)
    this.#apart = new ReadersApart({
      open: parts.openApart,
      most: parts.mostApart,
      enter: (task) => this.#enter(task),
      took: (long, ms) => this.#longStatements.took(long, ms),
    })
    this.#noteSize()
    this.#commits = new GroupCommit({
      writer,
      check: () => {
        if (place.fault !== undefined) throw place.fault
      },
      harden: async () => {
        this.#unsettled = true
        if (durability === 'full') await log.sync()
      },
      publish: () => this.#publish(),
      committed: (count) => checkpoints.note(count),
      stopped: (reason) => {
        this.#stopped = true
        this.#settled()
        checkpoints.stop()
        clearInterval(this.#looking)
        if (reason instanceof FileMoved) this.#bringIn()
        watch.stopped?.(reason)
      },
      refused: (reason) => watch.refused?.(reason),
    })
    checkpoints.start({
      alone: (task) => this.#commits.alone(task),
      publish: () => this.#publish(),
      stop: (reason) => void this.#commits.stop(reason),
      behind: (reason) => watch.behind?.(reason),
    })
    this.#holds = new TransactionHolds({
      begin: () => void writer.run(BEGIN, [], false),
      commit: () => {
        this.#unsettled = true
        writer.run(COMMIT, [], false)
      },
      rollback: () => this.#undo('rollback'),
      save: (name) => void writer.run(statement(`savepoint ${name}`, false), [], false),
      release: (name) => void writer.run(statement(`release ${name}`, false), [], false),
      rollbackTo: (name) => this.#undo(`rollback to ${name}`),
    })
    this.#pin()
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY).unref()
  }

  /** How many prepared statements are cached. */
  get prepared(): number {
    return this.#reader.connection.prepared + this.#parts.writer.prepared
  }

  /** Other programs may write to the file, too; their writes are seen when reads see them. */
  get outsideChanges(): number | undefined {
    if (this.#closed || this.#statesHeld > 0) return undefined
    if (this.#isOld()) this.#pin()
    return this.#behind ? undefined : this.#outsideChanges
  }

  read<T>(work: () => Work<T>): T | Promise<T> {
    invariant(!this.#closed, 'the database is closed')
    // A read within a held transaction sees the writes of that transaction.
    if (this.#holds.own) return finishWork(work(), this.#parts.writer, true)
    invariant(!this.#reading, 'work started within other work of the same database')
    if (this.#isOld()) this.#pin()
    const reader = this.#reader
    try {
      const slice = this.#enter(() => runSlice(work(), reader, true))
      if (!(slice instanceof Unfinished)) return slice
      if (!this.#leaveReader()) return this.#enter(() => slice.finish(reader))
      return this.#finishLater(slice, reader, work)
    } catch (error) {
      if (error === TAKES_LONG) return this.#readApart(work)
      throw error
    }
  }

  #shortReader(connection: LibsqlConnection): ShortReader {
    return new ShortReader(connection, this.#longStatements, () => this.#mayReadApart())
  }

  #mayReadApart(): boolean {
    // A task that holds the visible state may be the one that reads. A file that was moved cannot be opened again.
    return this.#isLarge && this.#statesHeld === 0 && !this.#stopped && this.#parts.place.fault === undefined
  }

  async #readApart<T>(work: () => Work<T>): Promise<T> {
    const limit = this.#patient.get() === true ? PATIENCE : this.#parts.statementLimit
    try {
      const found = await this.#apart.read(work, limit)
      // It may have seen commits that are not on disk yet.
      if (this.#unsettled && !this.#stopped)
        await new Promise<void>((resolve) => this.#whenSettled.push(resolve))
      if (!this.#stopped) return found
    } catch (error) {
      if (!(error instanceof NoReader)) throw error
    }
    if (this.#isOld()) this.#pin()
    return this.#enter(() => finishWork(work(), this.#reader.connection, true))
  }

  #enter<T>(task: () => T): T {
    this.#reading = true
    try {
      return task()
    } finally {
      this.#reading = false
    }
  }

  /** Leaves the current connection to a long read; returns whether other reads now have another connection. */
  #leaveReader(): boolean {
    // Another connection would see commits that are not on disk yet, or would lose the state that a task holds.
    if (this.#unsettled || this.#statesHeld > 0 || this.#parts.place.fault !== undefined) return false
    if (this.#longReads.awaited || this.#longReads.running >= MOST_LONG_READS) return false
    try {
      this.#reader = this.#spare.pop() ?? this.#shortReader(this.#parts.openReader())
      this.#pinned = undefined
      return true
    } catch {
      // For example no more file descriptors: then other reads wait for the long one.
      return false
    }
  }

  async #finishLater<T>(slice: Unfinished<T>, reader: ShortReader, work: () => Work<T>): Promise<T> {
    try {
      return await this.#longReads.run(slice, (resume) => this.#enter(() => resume(reader)))
    } catch (error) {
      if (error !== TAKES_LONG) throw error
    } finally {
      endReading(reader.connection)
      this.#spare.push(reader)
    }
    return this.#readApart(work)
  }

  /** The file is this process's anyway; statements of the task may take long. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.#patient.run(true, task)
  }

  transaction<T>(work: () => Work<T>, _patient?: boolean, once = false): Promise<T> {
    if (this.#closed) return Promise.reject(new InvariantError('the database is closed'))
    return this.#holds.own ? this.#within(work) : this.#commits.add(work, once)
  }

  async readOneState<T>(task: (reader: DatabaseReader) => Promise<T>): Promise<T> {
    invariant(!this.#closed, 'the database is closed')
    this.#pin()
    this.#statesHeld += 1
    try {
      return await task(this)
    } finally {
      this.#statesHeld -= 1
    }
  }

  hold<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new InvariantError('the database is closed'))
    if (this.#holds.own) return this.#holds.run(task)
    // The task must run in the asynchronous context of its caller, not in that of the queue.
    const held = AsyncResource.bind(() => this.#holds.run(task))
    return this.#commits.alone(async () => {
      const result = await held()
      await this.#commits.settle(1)
      return result
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const { writer, log, checkpoints, lock } = this.#parts
    clearInterval(this.#looking)
    await this.#commits.idle()
    await this.#longReads.over
    await this.#apart.close()
    this.#unpin()
    await checkpoints.close()
    for (const { connection } of [this.#reader, ...this.#spare]) connection.close()
    writer.close()
    log.close()
    lock?.release()
  }

  /** Begins a new read transaction: until the next call, reads see what is committed now. */
  #pin(): void {
    if (this.#closed) return
    this.#unpin()
    this.#noteOutsideChanges()
    this.#reader.connection.run(BEGIN_READ, [], false)
    this.#reader.connection.run(LOOK, [], true)
    this.#pinned = performance.now()
    this.#behind = false
  }

  /**
   * Before the state is fixed: a write in between is then counted late, with the next state, and what was read from this
   * one is no longer used. The writer is asked, because for it our own commits are none of another connection.
   */
  #noteOutsideChanges(): void {
    const [row] = this.#parts.writer.run(DATA_VERSION, [], false)
    if (row?.[0] === this.#dataVersion) return
    this.#dataVersion = row?.[0]
    this.#outsideChanges += 1
  }

  #isOld(): boolean {
    if (this.#pinned === undefined) return true
    if (this.#behind && this.#statesHeld === 0 && !this.#unsettled) return true
    return !this.#unsettled && this.#statesHeld === 0 && performance.now() - this.#pinned > FRESH
  }

  #publish(): void {
    this.#unsettled = false
    this.#settled()
    this.#behind = true
    if (this.#statesHeld > 0) return
    try {
      this.#pin()
    } catch {
      // The next read meets the same failure and reports it.
    }
  }

  #settled(): void {
    for (const resolve of this.#whenSettled.splice(0)) resolve()
  }

  #unpin(): void {
    this.#pinned = undefined
    endReading(this.#reader.connection)
  }

  #noteSize(): void {
    this.#isLarge = this.#parts.place.size >= this.#parts.largeFrom
  }

  #look(): void {
    this.#noteSize()
    if (this.#parts.place.fault === undefined) return
    // Not while a transaction is open, because stopping copies committed writes into the file.
    const stop = async (): Promise<void> => {
      await this.#longReads.over
      await this.#apart.over
      this.#commits.stop(this.#parts.place.fault)
    }
    this.#commits.alone(stop).catch(() => {})
  }

  /**
   * Copies the log into the database file. The removed file may be the log, which holds acknowledged writes that are in
   * no other file; the database file is at its path, or was moved to another one.
   */
  #bringIn(): void {
    const { writer } = this.#parts
    try {
      this.#unpin()
      writer.run(statement('pragma synchronous = full', false), [], false)
      writer.run(statement('pragma wal_checkpoint(full)', true), [], false)
      this.#pin()
    } catch (error) {
      this.#parts.watch.behind?.(error)
    }
  }

  async #within<T>(work: () => Work<T>): Promise<T> {
    const { writer } = this.#parts
    writer.run(statement('savepoint work', false), [], false)
    try {
      const result = finishWork(work(), writer, false)
      writer.run(statement('release work', false), [], false)
      return result
    } catch (error) {
      this.#undo('rollback to work')
      this.#undo('release work')
      throw error
    }
  }

  /** Does nothing if a failure of the disk has already rolled back the transaction. */
  #undo(text: string): void {
    const { writer } = this.#parts
    if (writer.inTransaction) writer.run(statement(text, false), [], false)
  }
}

function endReading(reader: LibsqlConnection): void {
  if (reader.inTransaction) reader.run(COMMIT, [], false)
}
