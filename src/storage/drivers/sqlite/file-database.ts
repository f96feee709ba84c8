// Implements Database on a SQLite file: reads return the last state on disk, and do not wait for grouped
// writes.

import { AsyncResource } from 'node:async_hooks'
import { clearInterval, setInterval } from 'node:timers'
import { AsyncContext } from '../../../lib/async-context.ts'
import { InvariantError, invariant } from '../../../lib/errors/invariant.ts'
import type { Database, DatabaseReader, Work } from '../../database.ts'
import { FileMovedError, type FileWatch } from '../../driver.ts'
import { statement } from '../../sql/statement.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { FileLock } from './file-lock.ts'
import { FileReads, type FileReadsOptions } from './file-reads.ts'
import { finishWork } from './finish-work.ts'
import { GroupCommit } from './group-commit.ts'
import { fileDialect } from './sqlite-dialect.ts'
import { TransactionHolds } from './transaction-holds.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

const BEGIN = statement('begin immediate', false)
const COMMIT = statement('commit', false)
/** Milliseconds between checks of the files' existence and size. */
const CHECK_INTERVAL_MS = 1000

/** For migrations, seeds and imports. */
export const LONG_TIMEOUT_MS = 3_600_000

export interface FileOptions extends FileReadsOptions {
  /** Milliseconds. */
  readonly statementLimit: number
  readonly log: WriteAheadLog
  readonly checkpoints: Checkpoints
  readonly lock: FileLock | undefined
  readonly durability: 'full' | 'normal'
  readonly watch: FileWatch
}

export class FileDatabase implements Database {
  readonly dialect = fileDialect
  readonly durable = true
  readonly server = undefined
  readonly copies = undefined
  readonly #parts: FileOptions
  readonly #commits: GroupCommit
  readonly #holds: TransactionHolds
  readonly #reads: FileReads
  readonly #patient = new AsyncContext<true>()
  readonly #statementLimit = (): number =>
    this.#patient.get() === true ? LONG_TIMEOUT_MS : this.#parts.statementLimit
  #closed = false
  readonly #looking: NodeJS.Timeout

  constructor(options: FileOptions) {
    const { writer, log, place, checkpoints, durability, watch } = options
    this.#parts = options
    const reads = new FileReads(options)
    this.#reads = reads
    this.#commits = new GroupCommit({
      writer,
      check: () => {
        if (place.fault !== undefined) throw place.fault
      },
      harden: async () => {
        reads.hideCommits()
        if (durability === 'full') await log.sync()
      },
      publish: () => reads.publish(),
      committed: (count) => checkpoints.note(count),
      stopped: (reason) => {
        reads.stop()
        checkpoints.stop()
        clearInterval(this.#looking)
        if (reason instanceof FileMovedError) this.#bringIn()
        watch.stopped?.(reason)
      },
      refused: (reason) => watch.refused?.(reason),
    })
    checkpoints.start({
      alone: (task) => this.#commits.alone(task),
      publish: () => reads.publish(),
      stop: (reason) => void this.#commits.stop(reason),
      behind: (reason) => watch.behind?.(reason),
    })
    this.#holds = new TransactionHolds({
      ready: () => undefined,
      begin: () => void writer.run(BEGIN, [], false),
      commit: () => {
        reads.hideCommits()
        writer.run(COMMIT, [], false)
      },
      rollback: () => this.#undo('rollback'),
      save: (name) => void writer.run(statement(`savepoint ${name}`, false), [], false),
      release: (name) => void writer.run(statement(`release ${name}`, false), [], false),
      rollbackTo: (name) => this.#undo(`rollback to ${name}`),
    })
    this.#looking = setInterval(() => this.#look(), CHECK_INTERVAL_MS).unref()
  }

  get prepared(): number {
    return this.#reads.prepared + this.#parts.writer.prepared
  }

  get outsideChanges(): number | undefined {
    return this.#closed ? undefined : this.#reads.outsideChanges
  }

  read<T>(work: () => Work<T>): T | Promise<T> {
    invariant(!this.#closed, 'the database is closed')
    // A read within a held transaction sees the writes of that transaction.
    if (this.#holds.own) return finishWork(work(), this.#parts.writer, true)
    return this.#reads.read(work, this.#statementLimit)
  }

  /** Only this process uses the file; statements of the task may take long. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.#patient.run(true, task)
  }

  transaction<T>(work: () => Work<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new InvariantError('the database is closed'))
    return this.#holds.own ? this.#within(work) : this.#commits.add(work)
  }

  async readOneState<T>(task: (reader: DatabaseReader) => Promise<T>): Promise<T> {
    invariant(!this.#closed, 'the database is closed')
    return await this.#reads.oneState(() => task(this))
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
    await this.#reads.end()
    await checkpoints.close()
    this.#reads.close()
    writer.close()
    log.close()
    lock?.release()
  }

  #look(): void {
    this.#reads.noteSize()
    if (this.#parts.place.fault === undefined) return
    // Not while a transaction is open, because stopping copies committed writes into the file.
    const stop = async (): Promise<void> => {
      await this.#reads.over()
      this.#commits.stop(this.#parts.place.fault)
    }
    this.#commits.alone(stop).catch(() => {})
  }

  /**
   * Copies the log into the database file. The removed file may be the log, whose acknowledged writes are in
   * no other file.
   */
  #bringIn(): void {
    const { writer } = this.#parts
    try {
      this.#reads.unpin()
      writer.run(statement('pragma synchronous = full', false), [], false)
      writer.run(statement('pragma wal_checkpoint(full)', true), [], false)
      this.#reads.pin()
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
