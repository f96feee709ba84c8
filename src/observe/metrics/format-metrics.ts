// Formats metrics as Prometheus text 0.0.4, merged over several processes.

import type { MetricFamily, Sample } from './metrics.ts'

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function formatMetrics(families: readonly MetricFamily[]): string {
  let text = ''
  for (const { name, help, type, samples } of families) {
    text += `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`
    for (const sample of samples) text += `${name}${sample.suffix}${formatLabels(sample)} ${sample.value}\n`
  }
  return text
}

function formatLabels({ labels }: Sample): string {
  if (labels.length === 0) return ''
  return `{${labels.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** Adds up counters and histograms; gauges stay separate, by a label `worker`. */
export function mergeMetrics(
  processes: readonly { readonly worker: number; readonly families: readonly MetricFamily[] }[],
): readonly MetricFamily[] {
  const merged = new Map<string, { readonly family: MetricFamily; readonly samples: Map<string, Sample> }>()
  for (const { worker, families } of processes) {
    for (const family of families) {
      const into = merged.get(family.name) ?? { family, samples: new Map<string, Sample>() }
      merged.set(family.name, into)
      for (const one of family.samples) {
        const sample: Sample =
          family.type === 'gauge' ? { ...one, labels: [...one.labels, ['worker', String(worker)]] } : one
        const key = sample.suffix + formatLabels(sample)
        const value = sample.value + (into.samples.get(key)?.value ?? 0)
        into.samples.set(key, { ...sample, value })
      }
    }
  }
  return [...merged.values()].map(({ family, samples }) => ({ ...family, samples: [...samples.values()] }))
}
