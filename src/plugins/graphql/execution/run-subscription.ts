// Runs subscriptions (GraphQL specification, 6.2.3): each event of the source is answered like a request of its own.

import { setMaxListeners } from 'node:events'
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { raceAgainst } from '../../../util/race-against.ts'
import { variablesFault } from './check-variables.ts'
import type { OperationLimits } from './operation-limits.ts'
import {
  type Callers,
  type OperationAnswer,
  type OperationRequest,
  SourceEnded,
  type SourceEvent,
} from './operations.ts'

export interface SubscriptionParts {
  readonly schema: GraphQLSchema
  readonly limits: Pick<OperationLimits, 'elements'>
  refused(request: OperationRequest, errors: readonly GraphQLError[]): OperationAnswer
  answer(result: ExecutionResult, context: object): OperationAnswer
  failure(fault: unknown, context: object): OperationAnswer
  readonly callers: Callers | undefined
}

export function createSubscriptions(parts: SubscriptionParts) {
  const { schema, limits, refused, answer, failure, callers } = parts
  const closing = new AbortController()
  // One listener for each subscription.
  setMaxListeners(0, closing.signal)

  async function* subscribe(
    request: OperationRequest,
    operation: OperationDefinitionNode,
    document: DocumentNode,
    context: object,
  ): AsyncGenerator<OperationAnswer> {
    const given = request.variables ?? {}
    const tooMuch = variablesFault(schema, operation, given, limits.elements)
    if (tooMuch !== undefined) {
      yield refused(request, [tooMuch])
      return
    }
    const asked = {
      schema,
      document,
      variableValues: given,
      operationName: operation.name?.value ?? null,
    }
    try {
      const source = await createSourceEventStream({ ...asked, contextValue: context })
      if (!(Symbol.asyncIterator in source)) {
        yield answer(source, context)
        return
      }
      const signals = [closing.signal, callers?.signalOf(context)].filter((each) => each !== undefined)
      for await (const event of until(source, signals)) {
        const { value, principal = await callers?.callerOf(context) } = event as SourceEvent
        // An object of its own: what an answer may cost is counted with it, and its caller may have other rights now.
        const own = { ...context, principal, state: undefined }
        yield answer(await execute({ ...asked, rootValue: value, contextValue: own }), own)
      }
      if ('completes' in source && signals.every(({ aborted }) => !aborted)) return
    } catch (fault) {
      yield failure(fault, context)
      return
    }
    throw new SourceEnded('the server ends or reloads')
  }

  return { subscribe, end: () => closing.abort() }
}

/** Ends with a signal, also while the source waits for an event that may never come. */
async function* until(
  source: AsyncIterable<unknown>,
  signals: readonly AbortSignal[],
): AsyncGenerator<unknown> {
  const iterator = source[Symbol.asyncIterator]()
  let stop = (): void => {}
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
  })
  for (const signal of signals) {
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  }
  const unlessStopped = raceAgainst(stopped)
  try {
    while (true) {
      const next = await unlessStopped(iterator.next())
      if (next === undefined || next.done === true) return
      yield next.value
    }
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', stop)
    // Not awaited: a generator answers only after its next event.
    void Promise.resolve(iterator.return?.()).catch(() => {})
  }
}
