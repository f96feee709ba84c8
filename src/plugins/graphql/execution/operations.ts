// The interface for running GraphQL operations (GraphQL specification, 6 and 7).

import type { GraphQLField, OperationDefinitionNode } from 'graphql'

import type { OpenSubscription } from '../../../access/subscription-limits.ts'
import type { ApiError } from '../../../lib/errors/api-error.ts'
import type { Dependencies } from '../../../query/dependencies.ts'
import type { CachePolicy } from './cache-hints.ts'

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
  readonly body: string
  /** For `executed`, when the result was too large. */
  readonly refusal?: ApiError
  /** For `executed`: set by a resolver, otherwise 200. */
  readonly status?: number
  /** Set if users' code allows caches to store the result. */
  readonly cache?: CachePolicy
  /** Set if these are all dependencies of the result. */
  readonly dependencies?: Dependencies
}

export interface RunOptions {
  readonly readOnly: boolean
  /** Set if the response is to be cached: collects the dependencies. */
  readonly dependencies?: Dependencies | undefined
}

interface OperationCounts {
  readonly documents: number
  readonly compiled: number
}

/** A query, a mutation or a refused operation has one result; a subscription has many. */
type StartedOperation =
  | { readonly result: OperationResult | Promise<OperationResult> }
  | { readonly results: AsyncIterable<OperationResult> }

export interface Operations {
  counts(): OperationCounts
  /**
   * Checks a request before its files are received. Returns the result if it is invalid, the caller lacks
   * permission for a root field, or a variable takes no file.
   */
  refusal(
    request: OperationRequest,
    context: object,
    variables: readonly string[],
  ): OperationResult | undefined
  /** Counts the mutations that one HTTP request may contain only once; 0 if it will be refused. */
  countOnce(request: OperationRequest): number
  /**
   * `context` is for the first result. `open` counts a subscription, and throws ApiError when there are too
   * many.
   */
  subscribe(request: OperationRequest, context: object, open: () => OpenSubscription): StartedOperation
  /** Ends all subscriptions; their clients subscribe again. */
  end(): void
  /** Synchronous if all resolvers are. `context` belongs to this request alone. Never throws or rejects. */
  run(
    request: OperationRequest,
    context: object,
    options: RunOptions,
  ): OperationResult | Promise<OperationResult>
}

/** A subscription was interrupted: the client should subscribe again. */
export class SourceEndError extends Error {
  override name = 'SourceEndError'
}

export interface SourceEvent {
  readonly value: unknown
  /** Undefined: `getCaller` is called. */
  readonly principal: unknown
  readonly cause: object | undefined
}

export interface Callers {
  /** Throws if the token is no longer valid. */
  getCaller(context: object): unknown
  /** Whether callers with the same permissions get the same value of the field. */
  isImpersonal(field: GraphQLField<unknown, unknown>): boolean
  /** Equal for callers with the same permissions. */
  buildKey(principal: unknown): string
  /** The context of one result, with its own budget and the caller's current permissions. */
  contextFor(context: object, principal: unknown): object
  getSignal(context: object): AbortSignal
}

/** Selects the operation to run (GraphQL specification, 6.1); a string is the reason of a failure. */
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
