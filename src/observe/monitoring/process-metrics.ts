// Measures the process: processor time, memory, and the delay of the event loop.

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from '../metrics/metrics.ts'

/** Milliseconds between two samples, which cost some microseconds each. */
const SAMPLE_INTERVAL_MS = 20

const NANOSECONDS = 1e9

export function measureProcess(metrics: Metrics, version: string): () => void {
  const startedAt = Math.floor(Date.now() / 1000 - process.uptime())
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_INTERVAL_MS })
  delay.enable()

  metrics.gauge('cms_build_info', 'The versions that run.', ['version', 'node'], () => [
    [[version, process.version], 1],
  ])
  metrics.gauge('process_start_time_seconds', 'When the process was started, in Unix time.', [], () => [
    [[], startedAt],
  ])
  metrics.readCounter('process_cpu_seconds_total', 'Processor time, of user and system.', [], () => {
    const { user, system } = process.cpuUsage()
    return [[[], (user + system) / 1e6]]
  })
  metrics.gauge('process_resident_memory_bytes', 'Resident memory.', [], () => [
    [[], process.memoryUsage.rss()],
  ])
  metrics.gauge('nodejs_memory_bytes', 'Memory of the JavaScript engine, by its use.', ['use'], () => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
    return [
      [['heap_used'], heapUsed],
      [['heap_total'], heapTotal],
      [['external'], external],
      [['array_buffers'], arrayBuffers],
    ]
  })
  metrics.gauge(
    'nodejs_eventloop_delay_seconds',
    'How late the event loop was since the last collection, by quantile.',
    ['quantile'],
    () => {
      const found = [0.5, 0.99, 1].map((quantile) => [[String(quantile)], late(delay, quantile)] as const)
      delay.reset()
      return found
    },
  )
  return () => delay.disable()
}

/** Seconds beyond the resolution; 0 without a sample. */
function late(delay: IntervalHistogram, quantile: number): number {
  if (delay.count === 0) return 0
  const measured = quantile === 1 ? delay.max : delay.percentile(quantile * 100)
  return Math.max(0, measured / NANOSECONDS - SAMPLE_INTERVAL_MS / 1000)
}
