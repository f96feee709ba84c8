// Makes spans of work within a request. An error is recorded by name only: its message may be confidential.

import type { Span, Tracer } from '@opentelemetry/api'
import type { SpanMaker } from '../../lib/traced.ts'

type Api = typeof import('@opentelemetry/api')

export function createSpanMaker(api: Api, tracer: Tracer): SpanMaker {
  const { context, propagation, trace, SpanKind } = api

  function end(span: Span, fault?: { readonly error: unknown }): void {
    if (fault !== undefined) markFault(api, span, fault.error)
    span.end()
  }

  return {
    span(name, work, outgoing) {
      const parent = context.active()
      if (!outgoing && trace.getSpan(parent) === undefined) return work()
      const kind = outgoing ? SpanKind.CLIENT : SpanKind.INTERNAL
      const span = tracer.startSpan(name, { kind }, parent)
      return context.with(trace.setSpan(parent, span), () => {
        try {
          const result = work()
          if (result instanceof Promise)
            result.then(
              () => end(span),
              (error) => end(span, { error }),
            )
          else end(span)
          return result
        } catch (error) {
          end(span, { error })
          throw error
        }
      })
    },
    headers() {
      const headers: Record<string, string> = {}
      propagation.inject(context.active(), headers)
      return headers
    },
  }
}

function markFault({ SpanStatusCode }: Api, span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
  span.setStatus({ code: SpanStatusCode.ERROR })
}
