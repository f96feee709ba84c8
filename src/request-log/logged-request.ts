// What a line says of an answered request. It is read from the request when the line is made, which may be some requests later.

import type { HttpRequest, RequestCaller } from '../http/request.ts'
import type { RequestLine } from '../log/request-line.ts'
import { shownQuery } from './shown-query.ts'

/** Longer paths are cut: a line stays readable, and nobody can fill the disk with long ones. */
const LONGEST_PATH = 256

export class LoggedRequest implements RequestLine {
  readonly status: number | undefined
  readonly bytes: number | undefined
  readonly statements: number | undefined
  readonly #request: HttpRequest
  /** An integer, so that it needs no memory of its own. */
  readonly #tenthsOfMs: number

  constructor(
    request: HttpRequest,
    status: number | undefined,
    bytes: number | undefined,
    milliseconds: number,
    statements: number | undefined,
  ) {
    this.#request = request
    this.status = status
    this.bytes = bytes
    this.#tenthsOfMs = Math.round(milliseconds * 10)
    this.statements = statements
  }

  get method(): string {
    return this.#request.method
  }

  get path(): string {
    const { path } = this.#request
    return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path
  }

  get query(): string | undefined {
    const { query } = this.#request
    return query === '' ? undefined : shownQuery(query)
  }

  get route(): string | undefined {
    return this.#request.route?.path
  }

  get ms(): number {
    return this.#tenthsOfMs / 10
  }

  get role(): string | undefined {
    return callerOf(this.#request.caller).role
  }

  get user(): number | undefined {
    return callerOf(this.#request.caller).user
  }

  get token(): string | undefined {
    return callerOf(this.#request.caller).token
  }

  get requestId(): string {
    return this.#request.id
  }
}

export interface Caller {
  readonly role?: string
  readonly user?: number | undefined
  readonly token?: string
}

export function callerOf(principal: RequestCaller | undefined): Caller {
  if (principal === undefined) return {}
  const { kind, name, id } = principal
  return kind === 'api-token' ? { token: name } : { role: name, user: id }
}
