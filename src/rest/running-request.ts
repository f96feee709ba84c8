// The request behind a `ctx` of users' code.

import type { GuardedHandler } from '../access/guard.ts'
import type { Principal } from '../access/principal.ts'
import type { HttpRequest } from '../http/request.ts'

interface RunningRequest {
  readonly principal: Principal
  /** Of the app that answers. */
  readonly actions: CoreActions
  /** With the query and the body as code has changed them. */
  build(): HttpRequest
}

/** Handlers by permission, without the checks of their routes. */
export type CoreActions = Map<string, GuardedHandler>

const running = new WeakMap<object, RunningRequest>()

export function setRunningRequest(context: object, request: RunningRequest): void {
  running.set(context, request)
}

/** Throws if the object is not the `ctx` of a request. */
export function getRunningRequest(context: object): RunningRequest {
  const request = running.get(context)
  if (request === undefined) throw new TypeError('this is called with the ctx of the request')
  return request
}
