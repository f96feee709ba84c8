// What runs operations: a request in, an answer out (GraphQL specification, 6 and 7).

import type { OperationDefinitionNode } from 'graphql'

import type { ApiError } from '../../../errors/api-error.ts'
import type { CachePolicy } from './cache-hints.ts'

/** A request as it came over any transport; its members were checked to have these types. */
export interface OperationRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly operationName?: string | undefined
}

export interface OperationAnswer {
  /**
   * `executed`: it ran, `body` has `data`. `refused`: nothing of it ran. `writes`: it would change something, and was
   * only allowed to read.
   */
  readonly kind: 'executed' | 'refused' | 'writes'
  /** The response as JSON. */
  readonly body: string
  /** `executed`: nothing came of it, because there was too much of it. */
  readonly refusal?: ApiError
  /** A query that users' code lets caches keep. */
  readonly cache?: CachePolicy
}

export interface RunOptions {
  /** Whether it may only read: mutations are refused. */
  readonly readOnly: boolean
}

/** What is kept, for those who watch its bounds. */
export interface OperationCounts {
  /** Documents that are kept. */
  readonly documents: number
  /** Operations that were compiled so far. */
  readonly compiled: number
}

export interface Operations {
  counts(): OperationCounts
  /**
   * The answer to a request that will not run, asked before the files for its `variables` are received: it is wrong, the
   * caller may not have one of its root fields, or a variable takes no file. Undefined where it may begin.
   */
  refusal(
    request: OperationRequest,
    context: object,
    variables: readonly string[],
  ): OperationAnswer | undefined
  /** Of the mutations that one request may hold once, how many this part of it holds; 0 where it will be refused. */
  countOnce(request: OperationRequest): number
  /** Answers at once where all resolvers do. `context` is an object of this request alone. Never throws or rejects. */
  run(
    request: OperationRequest,
    context: object,
    options: RunOptions,
  ): OperationAnswer | Promise<OperationAnswer>
}

/** The one to run of a document (GraphQL specification, 6.1). Text says why there is none. */
export function chooseOperation(
  operations: readonly OperationDefinitionNode[],
  name: string | undefined,
): OperationDefinitionNode | string {
  if (name === undefined || name === '') {
    const [first] = operations
    if (operations.length > 1) return 'Must provide operation name if query contains multiple operations.'
    if (first === undefined) return 'Must provide an operation.'
    return first.operation === 'subscription' ? NO_SUBSCRIPTIONS : first
  }
  const found = operations.find((operation) => operation.name?.value === name)
  if (found === undefined) return `Unknown operation named ${JSON.stringify(name)}.`
  return found.operation === 'subscription' ? NO_SUBSCRIPTIONS : found
}

const NO_SUBSCRIPTIONS = 'Schema is not configured for subscriptions.'
