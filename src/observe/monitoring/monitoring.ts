// Measures a serving process, if `server.metrics` is set.

import type { Handler } from '../../http/reply.ts'
import type { OnResponse } from '../../http/server.ts'
import { type CacheUse, cacheUses } from '../../lib/cache-list.ts'
import { ownPackage } from '../../lib/package-root.ts'
import type { Database } from '../../storage/database.ts'
import { mergeMetrics } from '../metrics/format-metrics.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createMetrics, type MetricFamily } from '../metrics/metrics.ts'
import { measureDatabase } from './database-metrics.ts'
import { createMetricsEndpoint } from './metrics-endpoint.ts'
import { measureProcess } from './process-metrics.ts'
import { measureRequests } from './request-metrics.ts'

interface CollectedProcess {
  readonly worker: number
  readonly families: readonly MetricFamily[]
}

export interface MonitoringOptions {
  readonly token: string | undefined
  /** Undefined: this process is the only one. */
  readonly collectAll?:
    | ((own: () => readonly MetricFamily[]) => Promise<readonly CollectedProcess[]>)
    | undefined
}

export interface Monitoring {
  readonly metrics: Metrics
  readonly answered: OnResponse
  readonly endpoint: Handler
  database(database: Database): Database
  reloaded(result: string): void
  close(): void
}

export function openMonitoring({ token, collectAll }: MonitoringOptions): Monitoring {
  const metrics = createMetrics()
  const endProcess = measureProcess(metrics, ownPackage().manifest.version)
  measureCaches(metrics)
  const reloads = metrics.counter('cms_reloads_total', 'Edits of the configuration, by result.', ['result'])
  return {
    metrics,
    answered: measureRequests(metrics),
    endpoint: createMetricsEndpoint({
      token,
      collect: () => collectAll?.(metrics.collect).then(mergeMetrics) ?? metrics.collect(),
    }),
    database: (database) => measureDatabase(metrics, database),
    reloaded: (result) => reloads.of(result).add(),
    close: endProcess,
  }
}

function measureCaches(metrics: Metrics): void {
  const each = (of: (use: CacheUse) => number) => () =>
    cacheUses().map((use) => [[use.name], of(use)] as const)
  metrics.gauge(
    'cms_cache_bytes',
    'Estimated size of a cache.',
    ['cache'],
    each(({ weight }) => weight),
  )
  metrics.gauge(
    'cms_cache_budget_bytes',
    'What a cache may take.',
    ['cache'],
    each(({ budget }) => budget),
  )
  metrics.gauge(
    'cms_cache_entries',
    'Values in a cache.',
    ['cache'],
    each(({ size }) => size),
  )
  metrics.readCounter('cms_cache_requests_total', 'Lookups in a cache.', ['cache', 'result'], () =>
    cacheUses().flatMap(({ name, hits, misses }) => [
      [[name, 'hit'], hits] as const,
      [[name, 'miss'], misses] as const,
    ]),
  )
}
