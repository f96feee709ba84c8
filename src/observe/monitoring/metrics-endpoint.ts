// `GET /metrics`; a caller without permission gets the response of an unknown path.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { Handler } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { formatMetrics, METRICS_TYPE } from '../metrics/format-metrics.ts'
import type { MetricFamily } from '../metrics/metrics.ts'

interface MetricsEndpointOptions {
  /** The scraper's bearer token; undefined: only this machine has access. */
  readonly token: string | undefined
  collect(): readonly MetricFamily[] | Promise<readonly MetricFamily[]>
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1'])
/** A caller behind a proxy on the same machine has the machine's address; these headers reveal the proxy. */
const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

export function createMetricsEndpoint({ token, collect }: MetricsEndpointOptions): Handler {
  const digest = token === undefined ? undefined : computeDigest(token)

  function mayAsk(request: HttpRequest): boolean {
    if (digest === undefined)
      return LOOPBACK.has(request.address) && FORWARDING.every((name) => request.header(name) === undefined)
    const [, given] = /^bearer +(\S+)$/i.exec(request.header('authorization') ?? '') ?? []
    return given !== undefined && timingSafeEqual(computeDigest(given), digest)
  }

  return async (request) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || !mayAsk(request)) throw new ApiError('NotFoundError', 'Not Found')
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: formatMetrics(await collect()),
      contentType: METRICS_TYPE,
    }
  }
}

function computeDigest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
