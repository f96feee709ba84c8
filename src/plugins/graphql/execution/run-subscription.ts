// Runs subscriptions (GraphQL specification, 6.2.3), executing each event like a request. Equal subscriptions
// of equal callers share the result.

import { clearTimeout, setTimeout } from 'node:timers'
import {
  createSourceEventStream,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import type { OpenSubscription } from '../../../access/subscription-limits.ts'
import { buildExactKey } from '../../../lib/exact-key.ts'
import { raceAgainst } from '../../../lib/race-against.ts'
import { createTurns } from '../../../lib/turns.ts'
import { getBudget } from '../selection/request-budget.ts'
import { findVariablesFault } from './check-variables.ts'
import type { OperationLimits } from './operation-limits.ts'
import {
  type Callers,
  type OperationRequest,
  type OperationResult,
  SourceEndError,
  type SourceEvent,
} from './operations.ts'
import type { DocumentFacts } from './parse-document.ts'

/** Milliseconds after the last result. */
const FORGOTTEN_AFTER_MS = 1000

/** Units per result, besides its reads. */
const RESULT_COST = 300

interface SubscriptionOptions {
  readonly schema: GraphQLSchema
  readonly limits: Pick<OperationLimits, 'elements'>
  refused(request: OperationRequest, errors: readonly GraphQLError[]): OperationResult
  result(result: ExecutionResult, context: object): OperationResult
  failure(fault: unknown, context: object): OperationResult
  readonly callers: Callers
  isImpersonal(operation: OperationDefinitionNode, known: DocumentFacts): boolean
}

interface SubscribeOptions {
  readonly request: OperationRequest
  readonly operation: OperationDefinitionNode
  readonly known: DocumentFacts
  readonly context: object
  /** Throws ApiError when the caller has too many subscriptions. */
  open(): OpenSubscription
}

interface SharedResult {
  readonly value: unknown
  readonly result: Promise<PricedResult>
  /** Each caller pays once. */
  readonly payers: Set<string>
}

interface PricedResult {
  readonly result: OperationResult
  readonly cost: number
  readonly allowed: number
}

export function createSubscriptions(options: SubscriptionOptions) {
  const { schema, limits, refused, result: answer, failure, callers, isImpersonal } = options
  /** One for each subscription; adding a listener to a shared signal would search all its listeners. */
  const stops = new Set<() => void>()
  let isEnded = false
  const shared = new Map<string, SharedResult>()
  const forgetting = setTimeout(() => shared.clear(), FORGOTTEN_AFTER_MS).unref()
  const turns = createTurns()

  async function* subscribe(subscribing: SubscribeOptions): AsyncGenerator<OperationResult> {
    const { request, operation, context } = subscribing
    const tooMuch = findVariablesFault(schema, operation, request.variables ?? {}, limits.elements)
    if (tooMuch !== undefined) {
      yield refused(request, [tooMuch])
      return
    }
    let open: OpenSubscription
    try {
      open = subscribing.open()
    } catch (fault) {
      yield { ...failure(fault, context), kind: 'refused' }
      return
    }
    try {
      yield* answersTo(subscribing, open)
    } finally {
      open.close()
    }
  }

  async function* answersTo(
    subscribing: SubscribeOptions,
    open: OpenSubscription,
  ): AsyncGenerator<OperationResult> {
    const { request, operation, known } = subscribing
    const context = { ...subscribing.context, subscription: open }
    const variableValues = request.variables ?? {}
    const operationName = operation.name?.value ?? null
    const asked = { schema, document: known.document, variableValues, operationName }
    const key = isImpersonal(operation, known)
      ? buildExactKey([request.query, variableValues, operationName])
      : undefined

    let lastKey: string | undefined

    async function run(value: unknown, principal: unknown): Promise<PricedResult> {
      const own = callers.contextFor(context, principal)
      const result = await execute({ ...asked, rootValue: value, contextValue: own })
      const { cost, allowed } = getBudget(own).spent()
      return { result: answer(result, own), cost: cost + RESULT_COST, allowed }
    }

    async function answerTo(event: SourceEvent): Promise<OperationResult> {
      const { value, principal = await callers.getCaller(context) } = event
      const cause = event.cause ?? event
      const full = key === undefined ? undefined : `${callers.buildKey(principal)} ${key}`
      const last = full === undefined ? undefined : shared.get(full)
      const isKnown = last !== undefined && last.value === value
      const pays = !isKnown || !last.payers.has(open.caller)
      if (pays) open.assertAffordable(cause)
      const one = isKnown ? last : { value, result: run(value, principal), payers: new Set<string>() }
      one.payers.add(open.caller)
      if (full !== undefined) shared.set(full, one)
      lastKey = full
      forgetting.refresh()
      const { result: text, cost, allowed } = await one.result
      if (pays) open.charge(cause, cost, allowed)
      return text
    }

    let isStopped = false
    let stop = (): void => {}
    const stopped = new Promise<undefined>((resolve) => {
      stop = () => {
        isStopped = true
        resolve(undefined)
      }
    })
    const signal = callers.getSignal(context)
    signal.addEventListener('abort', stop)
    stops.add(stop)
    if (signal.aborted || isEnded) stop()
    try {
      const source = await createSourceEventStream({ ...asked, contextValue: context })
      if (!(Symbol.asyncIterator in source)) {
        yield answer(source, context)
        return
      }
      for await (const event of until(source, stopped))
        yield await turns.run(open.caller, () => answerTo(event as SourceEvent))
      if ('completes' in source && !isStopped) return
    } catch (fault) {
      yield failure(fault, context)
      return
    } finally {
      signal.removeEventListener('abort', stop)
      stops.delete(stop)
      if (lastKey !== undefined) shared.delete(lastKey)
    }
    throw new SourceEndError('the server ends or reloads')
  }

  return {
    subscribe,
    end() {
      isEnded = true
      clearTimeout(forgetting)
      for (const stop of [...stops]) stop()
    },
  }
}

/** Ends when it is stopped, also while the source waits for an event that may never come. */
async function* until(source: AsyncIterable<unknown>, stopped: Promise<undefined>): AsyncGenerator<unknown> {
  const iterator = source[Symbol.asyncIterator]()
  const unlessStopped = raceAgainst(stopped)
  try {
    while (true) {
      const next = await unlessStopped(iterator.next())
      if (next === undefined || next.done === true) return
      yield next.value
    }
  } finally {
    // Not awaited: a generator returns only after its next event.
    void Promise.resolve(iterator.return?.()).catch(() => {})
  }
}
