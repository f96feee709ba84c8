// Loads tracing if OpenTelemetry is set up in this process.

import { ownPackage } from '../../lib/package-root.ts'
import { traceWith } from '../../lib/traced.ts'
import type { Log } from '../log/create-log.ts'
import { createSpanMaker } from './span-maker.ts'
import { type RequestTracing, traceRequests } from './trace-requests.ts'

/** Where the OpenTelemetry API 1.x stores registered SDKs. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

/** Loads modules only if an SDK has registered a tracer. */
export async function openTracing(log: Pick<Log, 'warn'>): Promise<RequestTracing | undefined> {
  const registered = (globalThis as { [REGISTERED]?: { readonly trace?: unknown } })[REGISTERED]
  if (registered?.trace === undefined) return undefined
  let api: typeof import('@opentelemetry/api')
  try {
    api = await import('@opentelemetry/api')
  } catch {
    log.warn('OpenTelemetry is set up, but requests are not traced: npm install @opentelemetry/api')
    return undefined
  }
  const tracer = api.trace.getTracer('cms-run', ownPackage().manifest.version)
  traceWith(createSpanMaker(api, tracer))
  return traceRequests(api, tracer)
}
