// Reads a database file's last state on disk; long reads run on connections of their own (decision 0003).

import { performance } from 'node:perf_hooks'
import { invariant } from '../../../lib/errors/invariant.ts'
import type { Work } from '../../database.ts'
import { type SqlValue, statement } from '../../sql/statement.ts'
import type { FilePlace } from './file-place.ts'
import { finishWork, runSlice, TAKES_LONG, UnfinishedWork } from './finish-work.ts'
import type { LibsqlConnection } from './libsql-connection.ts'
import { LongReads } from './long-reads.ts'
import { LongStatements } from './long-statements.ts'
import { ShortReader } from './short-reader.ts'
import type { ThreadReader } from './thread-reader.ts'
import { NoReader, ThreadReaders } from './thread-readers.ts'

const BEGIN = statement('begin', false)
/** Fixes the state that the transaction sees. */
const LOOK = statement('select 1 from sqlite_schema limit 1', true)
const COMMIT = statement('commit', false)
/** On one connection, it changes when another one has committed. */
const DATA_VERSION = statement('pragma data_version', true)

/**
 * Milliseconds after which a read checks for another program's writes. A check costs as much as two small
 * reads.
 */
const MAX_AGE_MS = 10

/** Limited, because each long read has a connection with up to 32 MB of pages. */
const MAX_LONG_READS = 3

export interface FileReadsOptions {
  readonly reader: LibsqlConnection
  openReader(): LibsqlConnection
  /** Its statements run on a thread. */
  openApart(): Promise<ThreadReader>
  readonly mostApart: number
  /** In bytes. */
  readonly largeFrom: number
  readonly writer: LibsqlConnection
  readonly place: FilePlace
}

export class FileReads {
  readonly #parts: FileReadsOptions
  #reader: ShortReader
  readonly #spare: ShortReader[] = []
  readonly #longReads = new LongReads()
  readonly #longStatements = new LongStatements()
  readonly #apart: ThreadReaders
  #isLarge = false
  #reading = false
  #pinned: number | undefined
  /** Committed writes that are not on disk yet must not be visible. */
  #unsettled = false
  /** Called when committed writes are on disk, or writing has stopped because they are not. */
  #whenSettled: (() => void)[] = []
  #stopped = false
  #closed = false
  #statesHeld = 0
  /** Reads miss the last commits because a task held the visible state. */
  #behind = false
  #dataVersion: SqlValue | undefined
  #outsideChanges = 0

  constructor(options: FileReadsOptions) {
    this.#parts = options
    this.#reader = this.#shortReader(options.reader)
    this.#apart = new ThreadReaders({
      open: options.openApart,
      most: options.mostApart,
      enter: (task) => this.#enter(task),
      took: (long, ms) => this.#longStatements.took(long, ms),
    })
    this.noteSize()
    this.pin()
  }

  get prepared(): number {
    return this.#reader.connection.prepared
  }

  /** Other programs may write to the file, too; their writes are counted when reads see them. */
  get outsideChanges(): number | undefined {
    if (this.#closed || this.#statesHeld > 0) return undefined
    if (this.#isOld()) this.pin()
    return this.#behind ? undefined : this.#outsideChanges
  }

  /** `limit`: milliseconds. */
  read<T>(work: () => Work<T>, limit: () => number): T | Promise<T> {
    invariant(!this.#reading, 'work started within other work of the same database')
    if (this.#isOld()) this.pin()
    const reader = this.#reader
    try {
      const slice = this.#enter(() => runSlice(work(), reader, true))
      if (!(slice instanceof UnfinishedWork)) return slice
      if (!this.#leaveReader()) return this.#enter(() => slice.finish(reader))
      return this.#finishLater(slice, reader, work, limit())
    } catch (error) {
      if (error === TAKES_LONG) return this.#readApart(work, limit())
      throw error
    }
  }

  hideCommits(): void {
    this.#unsettled = true
  }

  publish(): void {
    this.#unsettled = false
    this.#settled()
    this.#behind = true
    if (this.#statesHeld > 0) return
    try {
      this.pin()
    } catch {
      // The next read meets the same failure and reports it.
    }
  }

  /** Releases the reads that wait for writes to be on disk. */
  stop(): void {
    this.#stopped = true
    this.#settled()
  }

  async oneState<T>(task: () => Promise<T>): Promise<T> {
    this.pin()
    this.#statesHeld += 1
    try {
      return await task()
    } finally {
      this.#statesHeld -= 1
    }
  }

  /** Until the next call, reads see the state committed now. */
  pin(): void {
    if (this.#closed) return
    this.unpin()
    this.#noteOutsideChanges()
    this.#reader.connection.run(BEGIN, [], false)
    this.#reader.connection.run(LOOK, [], true)
    this.#pinned = performance.now()
    this.#behind = false
  }

  unpin(): void {
    this.#pinned = undefined
    endReading(this.#reader.connection)
  }

  noteSize(): void {
    this.#isLarge = this.#parts.place.size >= this.#parts.largeFrom
  }

  async over(): Promise<void> {
    await this.#longReads.over
    await this.#apart.over
  }

  async end(): Promise<void> {
    this.#closed = true
    await this.#longReads.over
    await this.#apart.close()
    this.unpin()
  }

  close(): void {
    for (const { connection } of [this.#reader, ...this.#spare]) connection.close()
  }

  #shortReader(connection: LibsqlConnection): ShortReader {
    return new ShortReader(connection, this.#longStatements, () => this.#mayReadApart())
  }

  #mayReadApart(): boolean {
    // A task that holds the visible state may be the one that reads. A file that was moved cannot be opened again.
    return this.#isLarge && this.#statesHeld === 0 && !this.#stopped && this.#parts.place.fault === undefined
  }

  async #readApart<T>(work: () => Work<T>, limit: number): Promise<T> {
    try {
      const found = await this.#apart.read(work, limit)
      // It may have seen commits that are not on disk yet.
      if (this.#unsettled && !this.#stopped)
        await new Promise<void>((resolve) => this.#whenSettled.push(resolve))
      if (!this.#stopped) return found
    } catch (error) {
      if (!(error instanceof NoReader)) throw error
    }
    if (this.#isOld()) this.pin()
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

  /** Returns whether other reads now have another connection. */
  #leaveReader(): boolean {
    // Another connection would see commits that are not on disk yet, or would lose the state that a task holds.
    if (this.#unsettled || this.#statesHeld > 0 || this.#parts.place.fault !== undefined) return false
    if (this.#longReads.awaited || this.#longReads.running >= MAX_LONG_READS) return false
    try {
      this.#reader = this.#spare.pop() ?? this.#shortReader(this.#parts.openReader())
      this.#pinned = undefined
      return true
    } catch {
      // For example no more file descriptors.
      return false
    }
  }

  async #finishLater<T>(
    slice: UnfinishedWork<T>,
    reader: ShortReader,
    work: () => Work<T>,
    limit: number,
  ): Promise<T> {
    try {
      return await this.#longReads.run(slice, (resume) => this.#enter(() => resume(reader)))
    } catch (error) {
      if (error !== TAKES_LONG) throw error
    } finally {
      endReading(reader.connection)
      this.#spare.push(reader)
    }
    return this.#readApart(work, limit)
  }

  /**
   * Must run before the state is fixed: a write in between then makes this state's results stale. The writer
   * runs it, because its own commits do not change its `data_version`.
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
    return !this.#unsettled && this.#statesHeld === 0 && performance.now() - this.#pinned > MAX_AGE_MS
  }

  #settled(): void {
    for (const resolve of this.#whenSettled.splice(0)) resolve()
  }
}

function endReading(reader: LibsqlConnection): void {
  if (reader.inTransaction) reader.run(COMMIT, [], false)
}
