// Runs work on an embedded engine and returns its result: within one turn of the event loop, or in slices of time if it
// takes long.

import { performance } from 'node:perf_hooks'
import { nextTurn } from '../../../lib/next-turn.ts'
import { abandon, EngineFailure, isSteps, type Step, type Steps, type Work } from '../../database.ts'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'

/** Runs statements synchronously. */
export interface Engine {
  run(statement: Statement, values: readonly SqlValue[], reading: boolean): readonly SqlRow[]
  /** Starts a statement that only reads, whose rows can be read in several turns of the event loop. */
  open(statement: Statement, values: readonly SqlValue[]): Cursor
}

export interface Cursor {
  /** Those that were read so far. */
  readonly rows: readonly SqlRow[]
  /** Reads rows until the last one or until this time (of `performance.now()`); returns whether all are read. */
  read(until: number): boolean
}

/** A cursor looks at the time after so many rows. */
export const ROWS_BETWEEN_LOOKS = 100

/** Runs the work to its end at once, however long it takes. */
export function finishWork<T>(work: Work<T>, engine: Engine, reading: boolean): T {
  const slice = runSlice(work, engine, reading)
  return slice instanceof UnfinishedWork ? slice.finish(engine) : slice
}

/** Milliseconds after which other requests get the event loop. */
export const SLICE = 10

/** Thrown by an engine whose statement is expected to take long: the read must begin again where it holds up nobody. */
export const TAKES_LONG = new Error('the statement is expected to take long')

/** Work on more rows may take as long as a slice. */
const FEW_ROWS = 100

/** Runs the work in slices, between which other requests are served; no other work may use the engine meanwhile. */
export async function finishInSlices<T>(work: Work<T>, engine: Engine): Promise<T> {
  let slice = runSlice(work, engine, false)
  while (slice instanceof UnfinishedWork) {
    await nextTurn()
    slice = slice.resume(engine)
  }
  return slice
}

/** Returns the result if the work ends within one slice of time. */
export function runSlice<T>(work: Work<T>, engine: Engine, reading: boolean): T | UnfinishedWork<T> {
  return goOn(work, { next: work.next(), results: [], cursor: undefined }, engine, reading)
}

/** How far some work has come. */
interface Progress<T> {
  readonly next: IteratorResult<Step | Steps, T>
  /** The answers so far of steps that were yielded together. */
  readonly results: (readonly SqlRow[])[]
  /** The statement that is being read. */
  readonly cursor: Cursor | undefined
}

/** Work whose slice is over: within a statement, between two, or before its result is used, which may take long, too. */
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

  /** Runs the work to its end at once. */
  finish(engine: Engine): T {
    let slice: T | UnfinishedWork<T> = this.resume(engine)
    while (slice instanceof UnfinishedWork) slice = slice.resume(engine)
    return slice
  }

  /** Ends the work with the error instead of an answer. */
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
  const until = performance.now() + SLICE
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

/** Ends the work with the error; an error of the work's own must not hide that the engine broke, or that it is to begin again. */
export function giveUp<T>(work: Work<T>, error: unknown): never {
  const outcome = abandon(work, error)
  throw error instanceof EngineFailure || error === TAKES_LONG ? error : outcome
}
