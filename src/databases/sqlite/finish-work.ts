// Work -> its result, over an embedded engine: step by step within one turn of the event loop, or in slices where it
// may take long.

import { performance } from 'node:perf_hooks'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'
import { nextTurn } from '../../util/next-turn.ts'
import { type Answer, EngineFailure, isSteps, type Step, type Steps, type Work } from '../database.ts'

/** What runs statements to their end. */
export interface Engine {
  run(statement: Statement, values: readonly SqlValue[], reading: boolean): readonly SqlRow[]
}

export function finishWork<T>(work: Work<T>, engine: Engine, reading: boolean): T {
  let next = work.next()
  while (next.done !== true) next = advance(work, engine, next.value, reading)
  return next.value
}

/** Lets others have the event loop after so many milliseconds. Only where nobody else enters the engine meanwhile. */
const SLICE = 10

/** Of use where the engine is not shared: between two steps other requests are answered. */
export async function finishInSlices<T>(work: Work<T>, engine: Engine): Promise<T> {
  let until = performance.now() + SLICE
  let next = work.next()
  while (next.done !== true) {
    if (performance.now() > until) {
      await nextTurn()
      until = performance.now() + SLICE
    }
    next = advance(work, engine, next.value, false)
  }
  return next.value
}

function advance<T>(
  work: Work<T>,
  engine: Engine,
  asked: Step | Steps,
  reading: boolean,
): IteratorResult<Step | Steps, T> {
  let answer: Answer
  try {
    answer = isSteps(asked)
      ? asked.map(({ statement, values }) => engine.run(statement, values, reading))
      : engine.run(asked.statement, asked.values, reading)
  } catch (error) {
    return giveUp(work, error)
  }
  return work.next(answer)
}

/** The work may clean up and may throw an error of its own instead, but not go on, nor hide that the engine broke. */
function giveUp<T>(work: Work<T>, error: unknown): never {
  try {
    work.throw(error)
  } catch (own) {
    throw error instanceof EngineFailure ? error : own
  }
  throw error
}
