// CORS (the fetch standard). An origin is reflected only from an explicit list; `*` never allows credentials.

import { createHeaderSet, type HeaderSet } from './header-set.ts'
import type { Reply } from './reply.ts'
import type { HttpRequest } from './request.ts'

export interface CorsOptions {
  /** `'*'`: any origin, without credentials; a list: exactly these; `false`: no CORS headers. */
  readonly origin: '*' | readonly string[] | false
  readonly methods: readonly string[]
  readonly headers: readonly string[]
  readonly credentials: boolean
  /** Seconds that a browser may cache a preflight. */
  readonly maxAge: number
}

interface Cors {
  headersFor(request: HttpRequest): HeaderSet
  preflight(request: HttpRequest): Reply | undefined
  /** Refuses WebSockets from pages of a host that is neither this one nor listed. */
  allowsSocket(request: HttpRequest): boolean
}

export function createCors(options: CorsOptions, shared: Readonly<Record<string, string>>): Cors {
  const { origin } = options
  const vary = { ...shared, vary: 'Origin' }
  const strangers = createHeaderSet(
    origin === '*' ? { ...vary, 'access-control-allow-origin': '*', ...exposed(options) } : vary,
  )
  const known = new Map(
    Array.isArray(origin) ? origin.map((name) => [name, reflected(name, options, vary)]) : [],
  )
  const allowed = createPreflightHeaders(options)

  return {
    headersFor(request) {
      if (known.size === 0) return strangers
      return known.get(request.header('origin') ?? '') ?? strangers
    },
    preflight(request) {
      if (request.method !== 'OPTIONS' || request.header('access-control-request-method') === undefined)
        return
      const from = request.header('origin')
      if (from === undefined || origin === false) return
      return { status: 204, headers: origin === '*' || known.has(from) ? allowed : undefined }
    },
    allowsSocket(request) {
      const from = request.header('origin')
      if (from === undefined || origin === '*' || known.has(from)) return true
      return URL.canParse(from) && new URL(from).host === request.header('host')
    },
  }
}

function reflected(origin: string, options: CorsOptions, vary: Readonly<Record<string, string>>): HeaderSet {
  return createHeaderSet({
    ...vary,
    'access-control-allow-origin': origin,
    ...(options.credentials ? { 'access-control-allow-credentials': 'true' } : {}),
    ...exposed(options),
  })
}

/** A page that may send `If-Match` has to read the version that it names. */
function exposed({ headers }: CorsOptions): Readonly<Record<string, string>> {
  const conditional = headers.some((name) => name.toLowerCase() === 'if-match')
  return conditional ? { 'access-control-expose-headers': 'ETag' } : {}
}

function createPreflightHeaders({ methods, headers, maxAge }: CorsOptions): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': methods.join(','),
    'access-control-allow-headers': headers.join(','),
    'access-control-max-age': String(maxAge),
  }
}
