// Makes spans of requests and statements; their attributes contain no query string, header or value.

import type { Context, Span, TextMapGetter, Tracer } from '@opentelemetry/api'
import { isOwnPath } from '../../http/gateway.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { OnResponse, ServedHandler } from '../../http/server.ts'
import type { Database } from '../../storage/database.ts'
import { observeStatements } from '../../storage/observe-statements.ts'

type Api = typeof import('@opentelemetry/api')

export interface RequestTracing {
  caller(): void
  database(database: Database): Database
  handler(handler: ServedHandler): ServedHandler
  readonly answered: OnResponse
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const MAX_PATH_LENGTH = 256
const MAX_STATEMENT_LENGTH = 4096

const sentHeaders: TextMapGetter<HttpRequest> = {
  get: (request, name) => request.header(name.toLowerCase()),
  keys: (request) => [...request.headerNames()],
}

export function traceRequests(api: Api, tracer: Tracer): RequestTracing {
  const { context, propagation, trace, ROOT_CONTEXT, SpanKind, SpanStatusCode } = api
  const spans = new WeakMap<HttpRequest, Span>()

  return {
    caller() {},
    handler: (handler) => (request) => {
      // Probes come every few seconds.
      if (isOwnPath(request.path)) return handler(request)
      const { method, path } = request
      const parent = propagation.extract(ROOT_CONTEXT, request, sentHeaders)
      const span = tracer.startSpan(
        METHODS.has(method) ? method : 'HTTP',
        {
          kind: SpanKind.SERVER,
          attributes: {
            'http.request.method': METHODS.has(method) ? method : '_OTHER',
            'url.path': path.slice(0, MAX_PATH_LENGTH),
          },
        },
        parent,
      )
      spans.set(request, span)
      return context.with(trace.setSpan(parent, span), () => handler(request))
    },
    answered(request, reply) {
      const span = spans.get(request)
      if (span === undefined) return
      const { route } = request
      if (route !== undefined) {
        span.updateName(`${route.method} ${route.path}`)
        span.setAttribute('http.route', route.path)
      }
      if (reply === undefined) span.setAttribute('error.type', 'client left')
      else {
        span.setAttribute('http.response.status_code', reply.status)
        if (reply.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
    database(database) {
      const system = database.dialect.systemName
      const observerIn = (parent: Context) => (step: { readonly statement: { readonly text: string } }) => {
        const { text } = step.statement
        const operation = /^\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL'
        const span = tracer.startSpan(
          operation,
          {
            kind: SpanKind.CLIENT,
            attributes: {
              'db.system.name': system,
              'db.operation.name': operation,
              'db.query.text': text.slice(0, MAX_STATEMENT_LENGTH),
            },
          },
          parent,
        )
        return () => span.end()
      }
      return observeStatements(database, () => {
        const parent = context.active()
        return trace.getSpan(parent) === undefined ? undefined : observerIn(parent)
      })
    },
  }
}
