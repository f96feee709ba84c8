// Declares how a face calls the operations of content-types by name, each through its own route.

import type { Principal } from '../access/principal.ts'
import type { HttpRequest } from '../http/request.ts'
import type { OperationShape } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'

export interface CallableOperation {
  /** `article.create`; with the uid of the content-type if its name is not that of its API. */
  readonly name: string
  readonly type: ContentType
  readonly shape: OperationShape
  /** The permission that it needs. */
  readonly permission: string
}

export interface OperationInput {
  /** For operations on one entry. */
  readonly id?: string | undefined
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

interface OperationCall {
  readonly request: HttpRequest
  readonly by: Principal
  readonly operation: CallableOperation
  readonly input: OperationInput
}

export interface OperationResponse {
  readonly status: number
  /** JSON; empty if there is no body. */
  readonly text: string
}

export interface OperationCalls {
  /** In the order of the model; only operations that the REST API serves. */
  readonly all: readonly CallableOperation[]
  /** `article.create` or `api::article.article.create`. */
  find(name: string): CallableOperation | undefined
  /**
   * The response of the route, with policies and middlewares of users' code. `prepare`: is given the derived request before
   * it runs. Rejects with ApiError for most refusals.
   */
  call(call: OperationCall, prepare?: (part: HttpRequest) => void): Promise<OperationResponse>
}
