// Wraps the answer of the routes into the app's handler and adds CORS, security headers, health and readiness routes, and
// error responses.

import { ApiError } from '../lib/errors/api-error.ts'
import { type CorsOptions, createCors } from './cors.ts'
import { buildErrorReply } from './error-reply.ts'
import { createHeaderSet, type HeaderSet } from './header-set.ts'
import { type Handler, isPromise, jsonReply, type Reply } from './reply.ts'
import type { HttpRequest } from './request.ts'

/** Readable without credentials. */
export interface NotReady {
  readonly part: 'server' | 'database'
  readonly reason: string
}

interface GatewayOptions {
  /** Finds the route and answers; may throw ApiError. */
  readonly answer: Handler
  readonly cors: CorsOptions
  readonly production: boolean
  readonly explains: boolean
  notReady(): NotReady | undefined | Promise<NotReady | undefined>
  /** When undefined, the path does not exist. */
  readonly metrics?: Handler | undefined
  onFault(fault: unknown, requestId: string | undefined): void
}

/** Never throws and never rejects. */
export function createGateway(options: GatewayOptions): Handler {
  const cors = createCors(options.cors, buildSecurityHeaders(options.production))

  function failure(error: unknown, request: HttpRequest): Reply {
    return buildErrorReply(error, (fault) => options.onFault(fault, request.id), options.explains)
  }

  /** Browsers send no preflight before a WebSocket, and let any page read it: the origin is checked here. */
  function admitted(reply: Reply, request: HttpRequest): Reply {
    if (reply.socket === undefined || cors.allowsSocket(request)) return reply
    const why = 'pages of this origin may not open a WebSocket: see server.cors.origin'
    return failure(new ApiError('ForbiddenError', why), request)
  }

  return (request) => {
    const common = cors.headersFor(request)
    try {
      const reply = getOwnResponse(request, options) ?? cors.preflight(request) ?? options.answer(request)
      if (!isPromise(reply)) return withCommon(admitted(reply, request), common)
      return reply.then(
        (response) => withCommon(admitted(response, request), common),
        (error) => withCommon(failure(error, request), common),
      )
    } catch (error) {
      return withCommon(failure(error, request), common)
    }
  }
}

function withCommon(reply: Reply, shared: HeaderSet): Reply {
  const { status, headers, cookies, prepared, body, contentType, socket } = reply
  if (socket !== undefined) return reply
  const common = headers?.[POLICY] === undefined ? shared : withoutPolicy(shared)
  return { status, headers, cookies, prepared, body, contentType, common }
}

const POLICY = 'content-security-policy'

const withoutPolicies = new WeakMap<HeaderSet, HeaderSet>()

/** A response with its own policy must not get the shared one: browsers enforce both. */
function withoutPolicy(shared: HeaderSet): HeaderSet {
  let others = withoutPolicies.get(shared)
  if (others === undefined) {
    others = createHeaderSet(Object.fromEntries(shared.entries.filter(([name]) => name !== POLICY)))
    withoutPolicies.set(shared, others)
  }
  return others
}

const HEALTHY: Reply = { status: 204 }
const NOT_CACHED = { 'cache-control': 'no-store' }

const METRICS_PATH = '/metrics'

/** Served even when the server is overloaded. */
export function isOwnPath(path: string): boolean {
  return path === '/_health' || path === '/_ready' || path === METRICS_PATH
}

function getOwnResponse(
  request: HttpRequest,
  { notReady, metrics }: GatewayOptions,
): Reply | Promise<Reply> | undefined {
  const { path } = request
  if (path.charCodeAt(1) !== 95 /* _ */) return path === METRICS_PATH ? metrics?.(request) : undefined
  if (path === '/_health') return HEALTHY
  if (path !== '/_ready') return undefined
  const fault = notReady()
  return fault instanceof Promise ? fault.then(readiness) : readiness(fault)
}

function readiness(fault: NotReady | undefined): Reply {
  if (fault === undefined) return jsonReply(200, '{"status":"ready"}', NOT_CACHED)
  return jsonReply(503, JSON.stringify({ status: 'not ready', ...fault }), {
    ...NOT_CACHED,
    'retry-after': '1',
  })
}

/** Only production can rely on HTTPS. */
export function buildSecurityHeaders(production: boolean): Readonly<Record<string, string>> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    ...(production ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
