// How full the caches are, and how often they had what was asked.

import type { Metrics } from '../metrics/metrics.ts'
import { type CacheUse, cacheUses } from '../util/cache-list.ts'

export function measureCaches(metrics: Metrics): void {
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
  metrics.readCounter('cms_cache_requests_total', 'How often a cache was asked.', ['cache', 'result'], () =>
    cacheUses().flatMap(({ name, hits, misses }) => [
      [[name, 'hit'], hits] as const,
      [[name, 'miss'], misses] as const,
    ]),
  )
}
