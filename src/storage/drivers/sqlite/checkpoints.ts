// Copies the write-ahead log into the database file off the main thread, so that the log stays small.

import { clearTimeout, setTimeout } from 'node:timers'
import { getCode } from './file-failure.ts'
import type { AsyncLibsqlDatabase } from './libsql-types.ts'

/** A checkpoint runs after this many transactions, or this many milliseconds after the first of them. */
const MAX_TRANSACTIONS = 1000
const MAX_DELAY_MS = 1000

interface CheckpointOptions {
  /** The task must run without concurrent writes. */
  alone(task: () => Promise<void>): Promise<void>
  /** Lets reads move to the current state, so that they no longer need the log. */
  publish(): void
  /** The disk failed: its state is unknown. */
  stop(reason: unknown): void
  behind(reason: unknown): void
}

export class Checkpoints {
  readonly #connection: AsyncLibsqlDatabase
  #parts: CheckpointOptions | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #noted = 0
  #stopped = false

  constructor(connection: AsyncLibsqlDatabase) {
    this.#connection = connection
  }

  start(options: CheckpointOptions): void {
    this.#parts = options
  }

  /** Commits that could not be forced to disk must not be copied into the file. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  note(count: number): void {
    if (this.#stopped) return
    this.#noted += count
    if (this.#noted >= MAX_TRANSACTIONS) this.#begin()
    else this.#timer ??= setTimeout(() => this.#begin(), MAX_DELAY_MS).unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
    try {
      if (!this.#stopped) await this.#connection.exec('pragma wal_checkpoint(truncate)')
    } catch (error) {
      this.#failed(error)
    }
    this.#connection.close()
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#running !== undefined) return
    this.#noted = 0
    this.#running = this.#run()
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#running = undefined
      })
  }

  async #run(): Promise<void> {
    const options = this.#parts
    if (options === undefined) return
    await this.#bring()
    await options.alone(async () => {
      await this.#bring()
      options.publish()
    })
  }

  async #bring(): Promise<void> {
    if (this.#stopped) return
    await this.#connection.exec('pragma wal_checkpoint(passive)')
  }

  #failed(error: unknown): void {
    // After a failed fsync the operating system drops the unwritten pages; a second try would succeed, without them.
    if (getCode(error).startsWith('SQLITE_IOERR')) this.#parts?.stop(error)
    else this.#parts?.behind(error)
  }
}
