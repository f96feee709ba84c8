// SQLite on a file as a Database: reads are answered at once from the last state that is on disk, writes are
// gathered by `group-commit.ts`; neither waits for the other. A long read gives way to others between its statements: it
// keeps its connection, with the state that it sees, and the others get another one.

import { AsyncResource } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'
import type { ApiError } from '../../errors/api-error.ts'
import { InvariantError, invariant } from '../../errors/invariant.ts'
import { statement } from '../../sql/statement.ts'
import type { Database, DatabaseReader, Work } from '../database.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { FileLock } from './file-lock.ts'
import { FileMoved, type FilePlace } from './file-place.ts'
import { finishWork, runSlice, Unfinished } from './finish-work.ts'
import { GroupCommit } from './group-commit.ts'
import type { LibsqlConnection } from './libsql-connection.ts'
import { LongReads } from './long-reads.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { TransactionHolds } from './transaction-holds.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

const BEGIN_READ = statement('begin', false)
/** A transaction sees the state at its first read. */
const LOOK = statement('select 1 from sqlite_schema limit 1', true)
const BEGIN = statement('begin immediate', false)
const COMMIT = statement('commit', false)

/** Milliseconds after which reads look for what another program wrote. A look costs as much as two small reads. */
const FRESH = 10

/** Each has a connection, with up to 32 MB of pages. */
const MOST_LONG_READS = 3

/** Milliseconds after which the files are looked for where nobody writes. */
const LOOK_EVERY = 1000

/** What the application wants to hear of the file. */
export interface FileWatch {
  /** Nothing more is written until the next start. */
  stopped?(reason: unknown): void
  /** A write was refused, and others may be: no space, no access, a file that is damaged or locked. */
  refused?(reason: ApiError): void
  /** The log could not be brought into the file, which grows its log until it can. */
  behind?(reason: unknown): void
}

export interface FileParts {
  readonly reader: LibsqlConnection
  /** Another one. */
  openReader(): LibsqlConnection
  readonly writer: LibsqlConnection
  readonly log: WriteAheadLog
  readonly place: FilePlace
  readonly checkpoints: Checkpoints
  readonly lock: FileLock | undefined
  readonly durability: 'full' | 'normal'
  readonly watch: FileWatch
}

export class FileDatabase implements Database {
  readonly dialect = sqliteDialect
  readonly durable = true
  readonly #parts: FileParts
  readonly #commits: GroupCommit
  readonly #holds: TransactionHolds
  /** Of all reads that do not take long. */
  #reader: LibsqlConnection
  readonly #spare: LibsqlConnection[] = []
  readonly #longReads = new LongReads()
  #reading = false
  /** When the state that is read was taken; undefined when none is. */
  #pinned: number | undefined
  /** What is committed is not on disk yet, and must not be seen. */
  #unsettled = false
  #closed = false
  readonly #looking: NodeJS.Timeout
  /** How many tasks want the state to stay as it is. */
  #statesHeld = 0

  constructor(parts: FileParts) {
    const { writer, log, place, checkpoints, durability, watch } = parts
    this.#parts = parts
    this.#reader = parts.reader
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

  /** How many statements are kept prepared. */
  get prepared(): number {
    return this.#reader.prepared + this.#parts.writer.prepared
  }

  read<T>(work: () => Work<T>): T | Promise<T> {
    invariant(!this.#closed, 'the database is closed')
    // Who is within a held transaction sees what it wrote.
    if (this.#holds.own) return finishWork(work(), this.#parts.writer, true)
    invariant(!this.#reading, 'work within work: the database is entered already')
    if (this.#isOld()) this.#pin()
    const reader = this.#reader
    const slice = this.#enter(() => runSlice(work(), reader, true))
    if (!(slice instanceof Unfinished)) return slice
    return this.#leaveReader() ? this.#finishApart(slice, reader) : this.#enter(() => slice.finish(reader))
  }

  #enter<T>(task: () => T): T {
    this.#reading = true
    try {
      return task()
    } finally {
      this.#reading = false
    }
  }

  /** Whether others read through another connection from here on. */
  #leaveReader(): boolean {
    // Another connection would see what is committed and not on disk yet, or not the state that somebody wants to keep.
    if (this.#unsettled || this.#statesHeld > 0 || this.#parts.place.fault !== undefined) return false
    if (this.#longReads.awaited || this.#longReads.running >= MOST_LONG_READS) return false
    try {
      this.#reader = this.#spare.pop() ?? this.#parts.openReader()
      this.#pinned = undefined
      return true
    } catch {
      // No more descriptors, for example: nobody else reads meanwhile.
      return false
    }
  }

  async #finishApart<T>(slice: Unfinished<T>, reader: LibsqlConnection): Promise<T> {
    try {
      return await this.#longReads.run(slice, (resume) => this.#enter(() => resume(reader)))
    } finally {
      endReading(reader)
      this.#spare.push(reader)
    }
  }

  transaction<T>(work: () => Work<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new InvariantError('the database is closed'))
    return this.#holds.own ? this.#within(work) : this.#commits.add(work)
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
    // What the task finds in its asynchronous context must not be the queue's.
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
    this.#unpin()
    await checkpoints.close()
    for (const reader of [this.#reader, ...this.#spare]) reader.close()
    writer.close()
    log.close()
    lock?.release()
  }

  /** Reads see what is committed now, until the next time. */
  #pin(): void {
    if (this.#closed) return
    this.#unpin()
    this.#reader.run(BEGIN_READ, [], false)
    this.#reader.run(LOOK, [], true)
    this.#pinned = performance.now()
  }

  #isOld(): boolean {
    if (this.#pinned === undefined) return true
    return !this.#unsettled && this.#statesHeld === 0 && performance.now() - this.#pinned > FRESH
  }

  #publish(): void {
    this.#unsettled = false
    if (this.#statesHeld > 0) return
    try {
      this.#pin()
    } catch {
      // Met again, and told, by the next read.
    }
  }

  #unpin(): void {
    this.#pinned = undefined
    endReading(this.#reader)
  }

  #look(): void {
    if (this.#parts.place.fault === undefined) return
    // Not while a transaction is open: what was committed is brought into the file then.
    const stop = async (): Promise<void> => {
      await this.#longReads.over
      this.#commits.stop(this.#parts.place.fault)
    }
    this.#commits.alone(stop).catch(() => {})
  }

  /**
   * The log may be what is gone, and with it what was answered and is in no other file: it goes into the file of the
   * database, which is at its path or is found under another one.
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

  /** A failure of the disk has undone everything by itself. */
  #undo(text: string): void {
    const { writer } = this.#parts
    if (writer.inTransaction) writer.run(statement(text, false), [], false)
  }
}

function endReading(reader: LibsqlConnection): void {
  if (reader.inTransaction) reader.run(COMMIT, [], false)
}
