// Work over one connection, step by step, each step one round trip.

import { type Answer, abandon, isSteps, type Work } from '../database.ts'
import type { PooledConnection } from './connections.ts'
import { failureOf, type Trouble, troubleOf } from './postgres-failure.ts'
import type { Sent } from './statement-batch.ts'
import { sentOf } from './wire-text.ts'

/** A step failed: why, and the error for whoever asked, which may be the work's own. */
export class StepFailed extends Error {
  override name = 'StepFailed'
  readonly trouble: Trouble
  readonly outcome: unknown

  constructor(trouble: Trouble, outcome: unknown) {
    super('a step failed')
    this.trouble = trouble
    this.outcome = outcome
  }
}

export interface Around {
  /** Goes in one message with the first step, before it and behind it. */
  readonly before: readonly Sent[]
  readonly after: readonly Sent[]
  /** Milliseconds that a step may take; undefined: as the connection's. */
  readonly patience?: number | undefined
}

export interface Finished<T> {
  readonly result: T
  /** False: there was nothing to ask, and nothing was sent. */
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
      throw new StepFailed(troubleOf(error), abandon(work, failure))
    }
    const answer: Answer = isSteps(asked) ? answers : (answers[0] ?? [])
    next = work.next(answer)
  }
  return { result: next.value, began }
}
