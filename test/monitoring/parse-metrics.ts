// Reads Prometheus' text format strictly: a line that is not of it fails.

const SAMPLE =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)+)\})? (-?[\d.]+(?:e[+-]?\d+)?)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)"/g

export interface ParsedMetrics {
  readonly types: ReadonlyMap<string, string>
  /** The sum of all samples of this name that have these labels. */
  value(name: string, labels?: Readonly<Record<string, string>>): number
  /** The values of one label. */
  labels(name: string, label: string): readonly string[]
}

export function parseMetrics(text: string): ParsedMetrics {
  const types = new Map<string, string>()
  const samples: { name: string; labels: Record<string, string>; value: number }[] = []
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === 'TYPE') {
      if (types.has(name)) throw new Error(`${name} has two types`)
      types.set(name, rest)
    }
    if (kind !== undefined) continue
    const [, sample, labels = '', value] = SAMPLE.exec(line) ?? []
    if (sample === undefined) throw new Error(`no line of the format: ${line}`)
    const family = types.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '')
    if (!types.has(family)) throw new Error(`${sample} comes before its type`)
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', text = '']) => [key, text] as const)
    samples.push({ name: sample, labels: Object.fromEntries(pairs), value: Number(value) })
  }
  return {
    types,
    value: (name, asked = {}) =>
      samples
        .filter((one) => one.name === name)
        .filter(({ labels }) => Object.entries(asked).every(([key, value]) => labels[key] === value))
        .reduce((sum, { value }) => sum + value, 0),
    labels: (name, label) => [
      ...new Set(samples.filter((one) => one.name === name).map(({ labels }) => labels[label] ?? '')),
    ],
  }
}
