// Runs long reads on a few threaded connections; others wait, or are refused after too long.

import { performance } from 'node:perf_hooks'
import { isSteps, type Work } from '../../database.ts'
import type { Statement } from '../../sql/statement.ts'
import { createUnavailable } from './file-failure.ts'
import { giveUp } from './finish-work.ts'
import type { ThreadReader } from './thread-reader.ts'

const MAX_WAITING = 64

interface ReadersApartOptions {
  open(): Promise<ThreadReader>
  readonly most: number
  /** The task must not start other work of the database. */
  enter<T>(task: () => T): T
  took(statement: Statement, ms: number): void
}

export class NoReader extends Error {
  override name = 'NoReader'
}

export class ThreadReaders {
  readonly #parts: ReadersApartOptions
  readonly #spare: ThreadReader[] = []
  readonly #waiting: (() => void)[] = []
  #running = 0
  #idle: (() => void)[] = []

  constructor(options: ReadersApartOptions) {
    this.#parts = options
  }

  /** `limit`: milliseconds that one statement may take, and that the work may wait. Throws NoReader. */
  async read<T>(work: () => Work<T>, limit: number): Promise<T> {
    await this.#enter(limit)
    try {
      return await this.#withReader((reader) => this.#finish(work, reader, limit))
    } finally {
      this.#leave()
    }
  }

  get over(): Promise<void> | undefined {
    if (this.#running === 0) return undefined
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  async close(): Promise<void> {
    while (this.#running > 0) await this.over
    for (const reader of this.#spare.splice(0)) reader.close()
  }

  async #enter(limit: number): Promise<void> {
    if (this.#running < this.#parts.most) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= MAX_WAITING) throw busy(`${MAX_WAITING} long reads are waiting already`)
    const came = performance.now()
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (performance.now() - came <= limit) return
    this.#leave()
    throw busy(`long reads before this one took longer than ${limit} ms`)
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next !== undefined) {
      next()
      return
    }
    this.#running -= 1
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #withReader<T>(task: (reader: ThreadReader) => Promise<T>): Promise<T> {
    let reader: ThreadReader
    try {
      reader = this.#spare.pop() ?? (await this.#parts.open())
      await reader.begin()
    } catch (error) {
      throw new NoReader('no connection for a long read could be opened', { cause: error })
    }
    try {
      return await task(reader)
    } finally {
      await reader.end()
      if (reader.reusable) this.#spare.push(reader)
      else reader.close()
    }
  }

  async #finish<T>(work: () => Work<T>, reader: ThreadReader, limit: number): Promise<T> {
    const { enter, took } = this.#parts
    const running = enter(work)
    let next = enter(() => running.next())
    while (next.done !== true) {
      const asked = next.value
      const results = []
      try {
        for (const { statement, values } of isSteps(asked) ? asked : [asked])
          results.push(await reader.read(statement, values, limit, (ms) => took(statement, ms)))
      } catch (error) {
        return enter(() => giveUp(running, error))
      }
      const result = isSteps(asked) ? results : (results[0] ?? [])
      next = enter(() => running.next(result))
    }
    return next.value
  }
}

function busy(reason: string): Error {
  return createUnavailable('The database is busy', new Error(reason))
}
