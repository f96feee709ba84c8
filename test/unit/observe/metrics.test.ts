// Counters, histograms and gauges, their text, and those of several processes together.

import { expect, test } from 'vitest'
import { formatMetrics, mergeMetrics } from '../../../src/observe/metrics/format-metrics.ts'
import { createMetrics } from '../../../src/observe/metrics/metrics.ts'

test('the text of each kind', () => {
  const metrics = createMetrics()
  const requests = metrics.counter('requests_total', 'Requests.', ['route'])
  requests.of('/a').add()
  requests.of('/a').add(2)
  requests.of('a "quoted"\\\n').add()
  const seconds = metrics.histogram('seconds', 'Time.', [0.1, 1])
  for (const value of [0.05, 0.1, 0.5, 5]) seconds.of().observe(value)
  metrics.gauge('size', 'Size.', ['use'], () => [[['heap'], 7]])
  expect(formatMetrics(metrics.collect())).toBe(
    [
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      'requests_total{route="/a"} 3',
      'requests_total{route="a \\"quoted\\"\\\\\\n"} 1',
      '# HELP seconds Time.',
      '# TYPE seconds histogram',
      'seconds_bucket{le="0.1"} 2',
      'seconds_bucket{le="1"} 3',
      'seconds_bucket{le="+Inf"} 4',
      'seconds_sum 5.65',
      'seconds_count 4',
      '# HELP size Size.',
      '# TYPE size gauge',
      'size{use="heap"} 7',
      '',
    ].join('\n'),
  )
})

test('the same name is the same series', () => {
  const metrics = createMetrics()
  metrics.counter('c', 'C.', ['kind']).of('x').add()
  metrics.counter('c', 'C.', ['kind']).of('x').add()
  expect(metrics.collect()[0]?.samples).toEqual([{ suffix: '', labels: [['kind', 'x']], value: 2 }])
})

test('there is a bound to the number of series', () => {
  const metrics = createMetrics()
  const series = metrics.counter('c', 'C.', ['kind'])
  for (let at = 0; at < 6000; at++) series.of(String(at)).add()
  const samples = metrics.collect()[0]?.samples ?? []
  expect(samples).toHaveLength(5001)
  expect(samples.at(-1)).toEqual({ suffix: '', labels: [['kind', 'other']], value: 1000 })
})

test('several processes: counts are added up, gauges stay apart', () => {
  const collected = [1, 2].map((count) => {
    const metrics = createMetrics()
    metrics.counter('c', 'C.').of().add(count)
    metrics.histogram('h', 'H.', [1]).of().observe(count)
    metrics.gauge('g', 'G.', [], () => [[[], count]])
    return { worker: count, families: metrics.collect() }
  })
  const text = formatMetrics(mergeMetrics(collected))
  expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    'c 3',
    'h_bucket{le="1"} 1',
    'h_bucket{le="+Inf"} 2',
    'h_sum 3',
    'h_count 2',
    'g{worker="1"} 1',
    'g{worker="2"} 2',
    '',
  ])
})
