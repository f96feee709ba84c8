// Runs work on one connection, step by step; each step is one round trip.

import { type Answer, abandon, isSteps, type Work } from '../database.ts'
import type { PooledConnection } from './connections.ts'
import { type FailureKind, failureKindOf, failureOf } from './postgres-failure.ts'
import type { Sent } from './statement-batch.ts'
import { sentOf } from './wire-text.ts'

/** A step failed: the kind of failure, and the error for the caller, which may be one of the work itself. */
export class StepFailed extends Error {
  override name = 'StepFailed'
  readonly failureKind: FailureKind
  readonly outcome: unknown

  constructor(failureKind: FailureKind, outcome: unknown) {
    super('a step failed')
    this.failureKind = failureKind
    this.outcome = outcome
  }
}

export interface Around {
  /** Statements sent in one message with the first step, before and after it. */
  readonly before: readonly Sent[]
  readonly after: readonly Sent[]
  /** Milliseconds that a step may take; undefined: the limit of the connection. */
  readonly patience?: number | undefined
}

export interface Finished<T> {
  readonly result: T
  /** False if the work had no steps, so that nothing was sent. */
  readonly began: boolean
}

export async function finishWork<T>(
  work: Work<T>,
  connection: PooledConnection,
  around: Around,
): Promise<Finished<T>> {
  const { before, after, patience } = around
  let next = work.next()
  let began = false
  while (next.done !== true) {
    const asked = next.value
    const steps = isSteps(asked) ? asked : [asked]
    let answers: Awaited<ReturnType<PooledConnection['send']>>
    try {
      const sent = steps.map(sentOf)
      const message = began ? sent : [...before, ...sent, ...after]
      const skipped = began ? 0 : before.length
      began = true
      answers = await connection.send(message, patience)
      if (skipped > 0 || message.length > steps.length)
        answers = answers.slice(skipped, skipped + steps.length)
    } catch (error) {
      const failure = failureOf(error, steps.map(({ statement }) => statement.text).join('; '))
      throw new StepFailed(failureKindOf(error), abandon(work, failure))
    }
    const answer: Answer = isSteps(asked) ? answers : (answers[0] ?? [])
    next = work.next(answer)
  }
  return { result: next.value, began }
}
