// Implements Koa's `ctx` for users' policies, middlewares and handlers.

import { assertPolicies, type BoundPolicy } from '../access/policy.ts'
import type { Principal } from '../access/principal.ts'
import { getHeaders } from '../http/header-view.ts'
import type { Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { AsyncContext } from '../lib/async-context.ts'
import { writeDates } from '../lib/date-texts.ts'
import { ApiError, type ApiErrorName, getErrorStatus } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import { loadQs } from '../lib/parse-brackets.ts'
import { SentValues } from '../lib/sent-values.ts'
import { splitFilters } from '../lib/split-filters.ts'
import { addToRequest } from '../operations/request-additions.ts'
import type { CallerState } from '../write/caller-state.ts'
import { type ContextCookies, createContextCookies } from './context-cookies.ts'
import { matchType } from './match-type.ts'
import { buildPolicyContext } from './policy-context.ts'
import { parseQueryString } from './query-string.ts'
import { createBody, readBody, withJsonType } from './replaceable-body.ts'
import { RestResponse } from './rest-response.ts'
import { type CoreActions, setRunningRequest } from './running-request.ts'

type Refuse = (message?: string, details?: Readonly<Record<string, unknown>>) => never

/** The functions of `ctx` that refuse a request, with their errors and messages. */
const REFUSALS = {
  badRequest: ['BadRequestError', 'Bad Request'],
  unauthorized: ['UnauthorizedError', 'Unauthorized'],
  forbidden: ['ForbiddenError', 'Forbidden'],
  notFound: ['NotFoundError', 'Not Found'],
  methodNotAllowed: ['MethodNotAllowedError', 'Method Not Allowed'],
  conflict: ['ConflictError', 'Conflict'],
  payloadTooLarge: ['PayloadTooLargeError', 'Payload Too Large'],
  unprocessableEntity: ['UnprocessableContentError', 'Unprocessable Entity'],
  tooManyRequests: ['RateLimitError', 'Too Many Requests'],
  internalServerError: ['InternalServerError', 'Internal Server Error'],
  notImplemented: ['NotImplementedError', 'Not Implemented'],
  serviceUnavailable: ['ServiceUnavailableError', 'Service Unavailable'],
} as const satisfies Readonly<Record<string, readonly [ApiErrorName, message: string]>>

export interface RestContext extends Readonly<Record<keyof typeof REFUSALS, Refuse>> {
  readonly method: string
  /** A middleware of every request may change it, and with it the route. */
  path: string
  /** Path and query. */
  url: string
  /** By their names in the route: `{ id: '1' }`. */
  readonly params: Readonly<Record<string, string>>
  /** The parsed query, with brackets as nested values; may be changed. */
  query: Record<string, unknown>
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The same as `headers`, as in Koa. */
  readonly header: Readonly<Record<string, string | undefined>>
  readonly ip: string
  readonly request: {
    readonly method: string
    path: string
    url: string
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly header: Readonly<Record<string, string | undefined>>
    query: Record<string, unknown>
    readonly ip: string
    readonly params: Readonly<Record<string, string>>
    /** The parsed body if it is JSON or a form; undefined for others. May be changed. */
    body: unknown
  }
  readonly state: CallerState & Record<string, unknown>
  /** Aborts when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal
  status: number
  /** The body of the response; sent as JSON unless it is text or bytes. */
  body: unknown
  type: string | undefined
  /** `status`, `body`, `type`, `set` and the refusals of `ctx`, as in Koa. */
  readonly response: RestContext
  readonly cookies: ContextCookies
  get(name: string): string | undefined
  /** `is('multipart', 'json')`: the first that the type of the request's body matches, else false. */
  is(...types: readonly string[]): string | false
  /** 302, unless the status is already one of a redirection. */
  redirect(url: string): void
  set(name: string, value: string): void
  /** Sets the body, and the status, unless it is 200. */
  send(body: unknown, status?: number): void
  created(body: unknown): void
  /** `throw(404, 'no such order')`, as in Koa. */
  throw(status: number, message?: string, properties?: Readonly<Record<string, unknown>>): never
}

export type RestMiddleware = (context: RestContext, next: () => Promise<void>) => unknown

interface RunningContext {
  readonly context: RestContext
  run(
    policies: readonly BoundPolicy[],
    middlewares: readonly RestMiddleware[],
    handler: (request: HttpRequest) => Promise<Reply | undefined>,
  ): Promise<Reply>
}

/** `strapi.requestContext` of Strapi; undefined unless code asks for it, because it slows every promise before Node 24. */
export type CurrentRequest = AsyncContext<RestContext> | undefined

interface ContextOptions {
  readonly params: Readonly<Record<string, string>>
  readonly state: object
  /** Undefined before the request has a route. */
  readonly principal?: Principal
  readonly actions: CoreActions
  readonly current: CurrentRequest
}

export async function createRestContext(
  request: HttpRequest,
  { params, state, principal, actions, current }: ContextOptions,
): Promise<RunningContext> {
  const { request: readable, body } = await readBody(request)
  addToRequest(readable, { filters: undefined, data: undefined }, request)
  const query = parseQuery(request.query)
  const before = { query: JSON.stringify(query), body: JSON.stringify(body) }
  const sent = { query: new SentValues(query), body: new SentValues(body) }
  const response = new RestResponse()
  const context = buildContext(request, { params, query, body, state }, response)

  function changed(): HttpRequest {
    const { path } = context
    const queryChanged = JSON.stringify(context.query) !== before.query
    const bodyChanged = JSON.stringify(context.request.body) !== before.body
    if (!queryChanged && !bodyChanged && path === request.path) return readable
    const { filters } = context.query
    const split = isRecord(filters) ? splitFilters(filters, sent.query, '$and') : undefined
    const asked = split === undefined ? context.query : { ...context.query, filters: split.sent }
    const text = loadQs().stringify(asked, { strictNullHandling: true, encodeValuesOnly: true })
    const json = Buffer.from(JSON.stringify(context.request.body) ?? '')
    const now: HttpRequest = {
      ...readable,
      path,
      ...(queryChanged ? { query: text } : {}),
      ...(bodyChanged ? { body: createBody(json), header: withJsonType(readable) } : {}),
    }
    const { body: payload } = context.request
    const data = sent.body.ownNames(isRecord(payload) ? payload['data'] : undefined)
    addToRequest(now, { filters: split?.own && writeDates(split.own), data }, readable)
    return now
  }

  if (principal !== undefined) setRunningRequest(context, { principal, actions, build: changed })
  const inside = <T>(task: () => Promise<T>): Promise<T> =>
    current === undefined ? task() : current.run(context, task)
  return {
    context,
    async run(policies, middlewares, handler) {
      await inside(() => assertPolicies(policies, buildPolicyContext(context)))
      const dispatch = async (index: number): Promise<void> => {
        const middleware = middlewares[index]
        if (middleware === undefined) {
          const reply = await handler(changed())
          if (reply !== undefined) response.take(reply)
          return
        }
        let called = false
        await middleware(context, async () => {
          // As in Koa, a second call is an error: the handler would run twice.
          if (called) throw new Error('next() was called twice')
          called = true
          await dispatch(index + 1)
        })
      }
      await inside(() => dispatch(0))
      return response.reply()
    },
  }
}

/** A copy, which code may change. */
function parseQuery(text: string): Record<string, unknown> {
  return structuredClone(parseQueryString(text)) as Record<string, unknown>
}

interface ReadRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Record<string, unknown>
  readonly body: unknown
  readonly state: object
}

function buildContext(
  request: HttpRequest,
  { params, query, body, state }: ReadRequest,
  response: RestResponse,
): RestContext {
  const headers = getHeaders(request)
  const { method, address: ip } = request
  const place = { path: request.path, search: request.query }
  const refusals = Object.fromEntries(
    Object.entries(REFUSALS).map(([key, [name, standing]]) => [
      key,
      (message: string = standing, details = {}): never => {
        throw new ApiError(name, message, details)
      },
    ]),
  ) as Record<keyof typeof REFUSALS, Refuse>
  const context: RestContext = {
    method,
    get path() {
      return place.path
    },
    set path(path) {
      place.path = String(path)
    },
    get url() {
      return place.search === '' ? place.path : `${place.path}?${place.search}`
    },
    set url(url) {
      const [path = '', search = ''] = String(url).split(/\?(.*)/s)
      Object.assign(place, { path, search })
      context.query = parseQuery(search)
    },
    params,
    query,
    headers,
    header: headers,
    ip,
    request: {
      method,
      get path() {
        return context.path
      },
      set path(path) {
        context.path = path
      },
      get url() {
        return context.url
      },
      set url(url) {
        context.url = url
      },
      headers,
      header: headers,
      get query() {
        return context.query
      },
      set query(value) {
        context.query = value
      },
      ip,
      params,
      body,
    },
    state: { ...state } as RestContext['state'],
    signal: request.signal,
    get status() {
      return response.status
    },
    set status(status) {
      response.status = status
    },
    get body() {
      return response.body
    },
    set body(value) {
      response.body = value
    },
    get type() {
      return response.type
    },
    set type(value) {
      response.type = value
    },
    get response() {
      return context
    },
    cookies: createContextCookies(request, response.cookies),
    get: (name) => request.header(name.toLowerCase()),
    is: (...types) => matchType(request.header('content-type'), types),
    redirect(url) {
      response.headers.set('location', url.replace(/[^\x21-\x7e]/gu, encodeURIComponent))
      if (response.status < 300 || response.status > 399) response.status = 302
      response.body = `Redirecting to ${url}.`
    },
    set: (name, value) => response.headers.set(name.toLowerCase(), String(value)),
    send(body, status = 200) {
      response.body = body
      response.status = status
    },
    created(body) {
      response.body = body
      response.status = 201
    },
    throw(status, message, { details } = {}) {
      const [name, standing] = Object.values(REFUSALS).find(([one]) => getErrorStatus(one) === status) ?? []
      if (name === undefined) throw new TypeError(`not a status of an error: ${status}`)
      throw new ApiError(name, message ?? standing ?? name, isRecord(details) ? details : {})
    },
    ...refusals,
  }
  return context
}
