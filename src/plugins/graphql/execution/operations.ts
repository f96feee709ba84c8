// The interface for running operations: request in, answer out (GraphQL specification, 6 and 7).

import type { GraphQLField, OperationDefinitionNode } from 'graphql'

import type { OpenSubscription } from '../../../access/subscription-limits.ts'
import type { ApiError } from '../../../lib/errors/api-error.ts'
import type { Dependencies } from '../../../query/dependencies.ts'
import type { CachePolicy } from './cache-hints.ts'

/** A request from any transport; the types of its members have been checked. */
export interface OperationRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly operationName?: string | undefined
}

export interface OperationResult {
  /**
   * `executed`: it ran, `body` has `data`. `refused`: no part of it ran. `writes`: it is a mutation, but only reading
   * was allowed.
   */
  readonly kind: 'executed' | 'refused' | 'writes'
  /** The response as JSON. */
  readonly body: string
  /** With `executed`: it has no result because it was too large. */
  readonly refusal?: ApiError
  /** With `executed`: what a resolver set, else it is 200. */
  readonly status?: number
  /** Set for a query that users' code lets caches keep. */
  readonly cache?: CachePolicy
  /** Set if everything in the answer was read from this alone. */
  readonly dependencies?: Dependencies
}

export interface RunOptions {
  /** Whether the request may only read: mutations are refused. */
  readonly readOnly: boolean
  /** Set if the response is to be cached: gets what a query reads. */
  readonly dependencies?: Dependencies | undefined
}

/** Sizes of the caches, for tests and monitoring of their bounds. */
interface OperationCounts {
  /** Number of cached documents. */
  readonly documents: number
  /** Number of operations compiled so far. */
  readonly compiled: number
}

/** The one answer of a query, a mutation or a refused operation; those of a subscription as they come. */
type StartedOperation =
  | { readonly result: OperationResult | Promise<OperationResult> }
  | { readonly results: AsyncIterable<OperationResult> }

export interface Operations {
  counts(): OperationCounts
  /**
   * Checks a request before the files for its `variables` are received. Returns the answer if the request will not run:
   * it is invalid, the caller lacks permission for a root field, or a variable takes no file. Otherwise undefined.
   */
  refusal(
    request: OperationRequest,
    context: object,
    variables: readonly string[],
  ): OperationResult | undefined
  /** How many mutations this request contains that one HTTP request may contain only once; 0 if it will be refused. */
  countOnce(request: OperationRequest): number
  /**
   * Begins an operation of any kind. `context` is that of the first answer. `open` counts a subscription; it throws ApiError
   * when there are too many.
   */
  subscribe(request: OperationRequest, context: object, open: () => OpenSubscription): StartedOperation
  /** Ends all subscriptions: their clients ask again. */
  end(): void
  /** Synchronous if all resolvers are. `context` is an object of this request alone. Never throws or rejects. */
  run(
    request: OperationRequest,
    context: object,
    options: RunOptions,
  ): OperationResult | Promise<OperationResult>
}

/** A subscription did not come to its end: the client is to ask again. */
export class SourceEnded extends Error {
  override name = 'SourceEnded'
}

/** An event of a subscription's source: the value of its field, and the changes in the context of that answer. */
export interface SourceEvent {
  readonly value: unknown
  /** Undefined: the caller is asked for. */
  readonly principal: unknown
  /** The event that other subscriptions may be told of, too; undefined: nobody else is. */
  readonly cause: object | undefined
}

/** Who asks, at any time of a subscription. */
export interface Callers {
  /** Throws if the token is not valid any more. */
  getCaller(context: object): unknown
  /** Whether callers with the same permissions get the same value of the field. */
  isImpersonal(field: GraphQLField<unknown, unknown>): boolean
  /** Equal for callers with the same permissions. */
  buildKey(principal: unknown): string
  /** The context of one answer: what it may cost is counted with it, and the caller may have other rights than before. */
  contextFor(context: object, principal: unknown): object
  /** Aborted when the client listens no more. */
  getSignal(context: object): AbortSignal
}

/** Selects the operation of a document to run (GraphQL specification, 6.1). A string says why there is none. */
export function chooseOperation(
  operations: readonly OperationDefinitionNode[],
  name: string | undefined,
  subscribes = false,
): OperationDefinitionNode | string {
  if (name === undefined || name === '') {
    const [first] = operations
    if (operations.length > 1) return 'Must provide operation name if query contains multiple operations.'
    if (first === undefined) return 'Must provide an operation.'
    return first.operation === 'subscription' && !subscribes ? NO_SUBSCRIPTIONS : first
  }
  const found = operations.find((operation) => operation.name?.value === name)
  if (found === undefined) return `Unknown operation named ${JSON.stringify(name)}.`
  return found.operation === 'subscription' && !subscribes ? NO_SUBSCRIPTIONS : found
}

const NO_SUBSCRIPTIONS =
  'A subscription goes by POST with "accept: text/event-stream", or over a WebSocket (graphql-transport-ws).'
