// Runs work on one connection; each step is one message where the server takes several statements in one.

import { checkValues } from '../../check-values.ts'
import type { Step } from '../../database.ts'
import { abandon, isSteps, type StepResult, type Work } from '../../database.ts'
import type { Statement } from '../../sql/statement.ts'
import type { FailureKind, SentStatement, ServerConnection, ServerEngine } from './server-engine.ts'

export class StepError extends Error {
  override name = 'StepError'
  readonly failureKind: FailureKind
  readonly outcome: unknown

  constructor(failureKind: FailureKind, outcome: unknown) {
    super('a step failed')
    this.failureKind = failureKind
    this.outcome = outcome
  }
}

export interface RequestContext {
  readonly before: readonly SentStatement[]
  readonly after: readonly SentStatement[]
  /** Called before the first statement is sent. */
  readonly onBegin?: () => void
  /** Milliseconds; undefined: the limit of the connection. */
  readonly patience?: number | undefined
}

export interface FinishedWork<T> {
  readonly result: T
  readonly began: boolean
}

export async function finishWork<T>(
  work: Work<T>,
  connection: ServerConnection,
  engine: ServerEngine,
  around: RequestContext,
): Promise<FinishedWork<T>> {
  const { before, after, onBegin, patience } = around
  let next = work.next()
  let began = false
  while (next.done !== true) {
    const asked = next.value
    const steps = isSteps(asked) ? asked : [asked]
    let results: Awaited<ReturnType<ServerConnection['send']>>
    try {
      const sent = steps.map((step) => getSent(step, engine))
      const message = began ? sent : [...before, ...sent, ...after]
      const skipped = began ? 0 : before.length
      if (!began) onBegin?.()
      began = true
      results = await connection.send(message, patience)
      if (skipped > 0 || message.length > steps.length)
        results = results.slice(skipped, skipped + steps.length)
    } catch (error) {
      const failure = engine.buildFailure(error, steps.map(({ statement }) => statement.text).join('; '))
      throw new StepError(engine.getFailureKind(error), abandon(work, failure))
    }
    const result: StepResult = isSteps(asked) ? results : (results[0] ?? [])
    next = work.next(result)
  }
  return { result: next.value, began }
}

const placeholders = new WeakMap<Statement, number>()

/** An invalid value is a bug, and throws. */
function getSent({ statement, values }: Step, { countPlaceholders }: ServerEngine): SentStatement {
  let count = placeholders.get(statement)
  if (count === undefined) {
    count = countPlaceholders(statement.text)
    placeholders.set(statement, count)
  }
  checkValues(values, count)
  return { text: statement.text, values, answer: statement.answer }
}
