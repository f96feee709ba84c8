// Runs work on an embedded engine: in one turn of the event loop, or in slices.

import { performance } from 'node:perf_hooks'
import { waitForTurn } from '../../../lib/next-turn.ts'
import { abandon, EngineFailure, isSteps, type Step, type Steps, type Work } from '../../database.ts'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'

export interface Engine {
  run(statement: Statement, values: readonly SqlValue[], reading: boolean): readonly SqlRow[]
  /** Only for statements that read; rows can be read in several turns of the event loop. */
  open(statement: Statement, values: readonly SqlValue[]): Cursor
}

export interface Cursor {
  readonly rows: readonly SqlRow[]
  /** `until`: by `performance.now()`. Returns whether all rows are read. */
  read(until: number): boolean
}

export const ROWS_BETWEEN_CHECKS = 100

export function finishWork<T>(work: Work<T>, engine: Engine, reading: boolean): T {
  const slice = runSlice(work, engine, reading)
  return slice instanceof UnfinishedWork ? slice.finish(engine) : slice
}

/** Milliseconds after which other requests get the event loop. */
export const SLICE_MS = 10

/** Thrown by an engine whose statement is expected to take long: the read must begin again on a thread. */
export const TAKES_LONG = new Error('the statement is expected to take long')

const FEW_ROWS = 100

/** Between slices other requests are served, but no other work may use the engine. */
export async function finishInSlices<T>(work: Work<T>, engine: Engine): Promise<T> {
  let slice = runSlice(work, engine, false)
  while (slice instanceof UnfinishedWork) {
    await waitForTurn()
    slice = slice.resume(engine)
  }
  return slice
}

export function runSlice<T>(work: Work<T>, engine: Engine, reading: boolean): T | UnfinishedWork<T> {
  return goOn(work, { next: work.next(), results: [], cursor: undefined }, engine, reading)
}

interface Progress<T> {
  readonly next: IteratorResult<Step | Steps, T>
  readonly results: (readonly SqlRow[])[]
  readonly cursor: Cursor | undefined
}

/**
 * The slice may end within a statement, between two, or before the result is used, which may take long, too.
 */
export class UnfinishedWork<T> {
  readonly #work: Work<T>
  readonly #progress: Progress<T>
  readonly #reading: boolean

  constructor(work: Work<T>, progress: Progress<T>, reading: boolean) {
    this.#work = work
    this.#progress = progress
    this.#reading = reading
  }

  resume(engine: Engine): T | UnfinishedWork<T> {
    return goOn(this.#work, this.#progress, engine, this.#reading)
  }

  finish(engine: Engine): T {
    let slice: T | UnfinishedWork<T> = this.resume(engine)
    while (slice instanceof UnfinishedWork) slice = slice.resume(engine)
    return slice
  }

  fail(error: unknown): never {
    return giveUp(this.#work, error)
  }
}

function goOn<T>(
  work: Work<T>,
  progress: Progress<T>,
  engine: Engine,
  reading: boolean,
): T | UnfinishedWork<T> {
  const until = performance.now() + SLICE_MS
  let { next, results, cursor } = progress
  let rows = 0
  while (next.done !== true) {
    const asked = next.value
    try {
      const step = isSteps(asked) ? asked[results.length] : asked
      let found: readonly SqlRow[] = []
      if (step !== undefined && reading) {
        cursor ??= engine.open(step.statement, step.values)
        if (!cursor.read(until)) return new UnfinishedWork(work, { next, results, cursor }, reading)
        found = cursor.rows
        cursor = undefined
      } else if (step !== undefined) found = engine.run(step.statement, step.values, false)
      rows += found.length
      if (!isSteps(asked)) next = work.next(found)
      else {
        if (step !== undefined) results.push(found)
        if (results.length >= asked.length) {
          next = work.next(results)
          results = []
        }
      }
    } catch (error) {
      // An error of the engine, or of the work itself, which has then ended and throws it again.
      giveUp(work, error)
    }
    // A result of few rows is used at once, however long it took to find.
    if ((next.done !== true || rows > FEW_ROWS) && performance.now() > until)
      return new UnfinishedWork(work, { next, results, cursor }, reading)
  }
  return next.value
}

/** An error of the work must not hide that the engine broke, or that the read is to begin again. */
export function giveUp<T>(work: Work<T>, error: unknown): never {
  const outcome = abandon(work, error)
  throw error instanceof EngineFailure || error === TAKES_LONG ? error : outcome
}
