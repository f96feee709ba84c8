// Combines many requests' transactions into one commit, forced to disk before any of them is answered
// (decision 0003). A failed piece is undone alone.

import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers'
import { ApiError } from '../../../lib/errors/api-error.ts'
import { waitForTurn } from '../../../lib/next-turn.ts'
import type { Work } from '../../database.ts'
import { FileMovedError } from '../../driver.ts'
import type { SqlValue, Statement } from '../../sql/statement.ts'
import { statement } from '../../sql/statement.ts'
import { createUnavailable, isBusy } from './file-failure.ts'
import { type Engine, finishInSlices } from './finish-work.ts'

const BEGIN = statement('begin immediate', false)
const COMMIT = statement('commit', false)
const ROLLBACK = statement('rollback', false)
const SAVE = statement('savepoint work', false)
const RELEASE = statement('release work', false)
const UNDO = statement('rollback to work', false)

/** Milliseconds of work in one commit: with more, its first pieces wait longer; with less, there are more commits. */
const BATCH_MS = 10
/** Milliseconds that another program may keep the file locked. */
const LOCK_TIMEOUT_MS = 5000

const NONE: readonly SqlValue[] = []

export interface Writer extends Engine {
  readonly inTransaction: boolean
}

interface GroupCommitOptions {
  readonly writer: Writer
  /** Throws if the files were moved: the next start would not find new writes. */
  check(): void
  /** If it fails, the state of the disk is unknown, and writing stops. */
  harden(): Promise<void>
  publish(): void
  committed(count: number): void
  stopped(reason: unknown): void
  refused(reason: ApiError): void
}

type Task = WorkTask | AloneTask

interface WorkTask {
  readonly work: () => Work<unknown>
  resolve(value: unknown): void
  reject(reason: unknown): void
}

interface AloneTask {
  readonly alone: () => Promise<void>
  reject(reason: unknown): void
}

export class GroupCommit {
  readonly #parts: GroupCommitOptions
  readonly #waiting: Task[] = []
  #draining: Promise<void> | undefined
  #stopped: Error | undefined

  constructor(options: GroupCommitOptions) {
    this.#parts = options
  }

  add<T>(work: () => Work<T>): Promise<T> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped)
    return new Promise<T>((resolve, reject) => {
      this.#enqueue({ work, resolve: resolve as (value: unknown) => void, reject })
    })
  }

  alone<T>(task: () => Promise<T>): Promise<T> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped)
    return new Promise<T>((resolve, reject) => {
      this.#enqueue({ alone: () => task().then(resolve, reject), reject })
    })
  }

  /** Called within `alone`. */
  async settle(count: number): Promise<void> {
    try {
      await this.#parts.harden()
      this.#parts.check()
    } catch (error) {
      throw this.stop(error)
    }
    this.#parts.publish()
    this.#parts.committed(count)
  }

  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining
  }

  /** Stops writing until the next start, because the state of the disk is unknown. */
  stop(reason: unknown): Error {
    if (this.#stopped === undefined) {
      const moved = reason instanceof FileMovedError
      const message = moved
        ? 'The database file was removed or replaced'
        : 'The database could not be written to disk'
      this.#stopped = createUnavailable(message, reason)
      this.#parts.stopped(reason)
    }
    return this.#stopped
  }

  #enqueue(task: Task): void {
    this.#waiting.push(task)
    this.#draining ??= this.#drain()
  }

  async #drain(): Promise<void> {
    // Waits, so that more work of this turn of the event loop joins the batch.
    await waitForTurn()
    for (let task = this.#waiting.shift(); task !== undefined; task = this.#waiting.shift()) {
      if (this.#stopped !== undefined) task.reject(this.#stopped)
      else if ('alone' in task) await task.alone()
      else await this.#batch(task)
    }
    // Reset at once, because a request that was just answered may add more work in this turn.
    this.#draining = undefined
  }

  async #batch(first: WorkTask): Promise<void> {
    const { writer } = this.#parts
    const taken: WorkTask[] = [first]
    const results: (() => void)[] = []
    let made = 0
    try {
      this.#parts.check()
    } catch (error) {
      first.reject(this.stop(error))
      return
    }
    try {
      await this.#begin()
    } catch (error) {
      this.#refuse([first, ...this.#waiting.splice(0)], error)
      return
    }
    try {
      const until = performance.now() + BATCH_MS
      for (let task: WorkTask | undefined = first; task !== undefined; task = this.#next(taken, until)) {
        const { work, resolve, reject } = task
        const before = made
        try {
          const value = await this.#one(work, before > 0)
          made += 1
          results.push(() => resolve(value))
        } catch (error) {
          // SQLite has rolled back the whole transaction: no space, no memory, a disk failure.
          if (!writer.inTransaction && before > 0) throw error
          if (!writer.inTransaction) await this.#begin()
          this.#tell(error)
          results.push(() => reject(error))
        }
      }
      writer.run(COMMIT, NONE, false)
    } catch (error) {
      this.#refuse(taken, error)
      this.#rollback()
      return
    }
    try {
      if (made > 0) await this.settle(made)
    } catch (error) {
      for (const task of taken) task.reject(error)
      return
    }
    for (const result of results) result()
  }

  /** Rejects at once, because each waiting task would fail in the same way. */
  #refuse(tasks: readonly Task[], error: unknown): void {
    this.#tell(error)
    for (const task of tasks) task.reject(error)
  }

  #tell(error: unknown): void {
    if (error instanceof ApiError && error.status === 503) this.#parts.refused(error)
  }

  #rollback(): void {
    const { writer } = this.#parts
    try {
      if (writer.inTransaction) writer.run(ROLLBACK, NONE, false)
    } catch (error) {
      this.stop(error)
    }
  }

  #next(taken: WorkTask[], until: number): WorkTask | undefined {
    const [task] = this.#waiting
    if (task === undefined || 'alone' in task || performance.now() > until) return undefined
    this.#waiting.shift()
    taken.push(task)
    return task
  }

  async #one(work: () => Work<unknown>, behindOthers: boolean): Promise<unknown> {
    const { writer } = this.#parts
    const run = (step: Statement): void => void writer.run(step, NONE, false)
    if (behindOthers) run(SAVE)
    try {
      const value = await finishInSlices(work(), writer)
      if (behindOthers) run(RELEASE)
      return value
    } catch (error) {
      if (writer.inTransaction && behindOthers) {
        run(UNDO)
        run(RELEASE)
      } else if (writer.inTransaction && !behindOthers) run(ROLLBACK)
      throw error
    }
  }

  async #begin(): Promise<void> {
    const until = performance.now() + LOCK_TIMEOUT_MS
    for (;;) {
      try {
        this.#parts.writer.run(BEGIN, NONE, false)
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
  }
}
