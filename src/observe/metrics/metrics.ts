// Metrics of a process. Labels never contain text of a request, so that the number of series is limited.

type MetricType = 'counter' | 'gauge' | 'histogram'

export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  readonly samples: readonly Sample[]
}

export interface Sample {
  readonly suffix: '' | '_bucket' | '_sum' | '_count'
  /** Values are not escaped yet. */
  readonly labels: readonly (readonly [name: string, value: string])[]
  readonly value: number
}

export interface Counter {
  /** By 1 unless given; never negative. */
  add(by?: number): void
}

export interface Histogram {
  observe(value: number): void
}

/** `of` takes the label values in the order of the label names. */
interface Series<T> {
  of(...values: readonly string[]): T
}

type ReadGauge = () => Iterable<readonly [values: readonly string[], value: number]>

export interface Metrics {
  /** The same name always returns the same series, which outlive a reload. */
  counter(name: string, help: string, labels?: readonly string[]): Series<Counter>
  /** `bounds`: upper bounds of the buckets, ascending. */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labels?: readonly string[],
  ): Series<Histogram>
  /** Replaces an earlier gauge of the same name. */
  gauge(name: string, help: string, labels: readonly string[], read: ReadGauge): void
  /** For a counter that other code counts. */
  readCounter(name: string, help: string, labels: readonly string[], read: ReadGauge): void
  collect(): readonly MetricFamily[]
}

/** Per name; further series share one, whose labels are all `other`. */
const MAX_SERIES = 5000
const OVERFLOW = 'other'

interface CollectedMetrics {
  readonly help: string
  readonly type: MetricType
  samples(): Iterable<Sample>
}

export function createMetrics(): Metrics {
  const families = new Map<string, CollectedMetrics>()
  const series = new Map<string, SeriesMap<CounterCell> | SeriesMap<HistogramCell>>()

  function getSeries<T extends Cell>(
    name: string,
    type: MetricType,
    help: string,
    labels: readonly string[],
    create: () => T,
  ): Series<T> {
    const known = series.get(name)
    // Safe: each name is a constant of one kind of series.
    if (known !== undefined) return known as unknown as Series<T>
    const made = new SeriesMap<T>(labels, create)
    series.set(name, made as unknown as SeriesMap<CounterCell>)
    families.set(name, { help, type, samples: () => made.samples() })
    return made
  }

  function reading(type: MetricType): Metrics['gauge'] {
    return (name, help, labels, read) => {
      families.set(name, {
        help,
        type,
        *samples() {
          for (const [values, value] of read()) yield buildSample('', pairs(labels, values), value)
        },
      })
    }
  }

  return {
    counter: (name, help, labels = []) => getSeries(name, 'counter', help, labels, () => new CounterCell()),
    histogram: (name, help, bounds, labels = []) =>
      getSeries(name, 'histogram', help, labels, () => new HistogramCell(bounds)),
    gauge: reading('gauge'),
    readCounter: reading('counter'),
    collect: () =>
      [...families].map(([name, { help, type, samples }]) => ({
        name,
        help,
        type,
        samples: [...samples()],
      })),
  }
}

type Labels = Sample['labels']

interface Cell {
  samples(labels: Labels): Iterable<Sample>
}

class SeriesMap<T extends Cell> implements Series<T> {
  readonly #labels: readonly string[]
  readonly #create: () => T
  readonly #cells = new Map<string, { readonly labels: Labels; readonly cell: T }>()

  constructor(labels: readonly string[], create: () => T) {
    this.#labels = labels
    this.#create = create
  }

  of(...values: readonly string[]): T {
    const key = values.join('\0')
    const known = this.#cells.get(key)
    if (known !== undefined) return known.cell
    if (this.#cells.size >= MAX_SERIES && values.some((value) => value !== OVERFLOW))
      return this.of(...values.map(() => OVERFLOW))
    const cell = this.#create()
    this.#cells.set(key, { labels: pairs(this.#labels, values), cell })
    return cell
  }

  *samples(): Iterable<Sample> {
    for (const { labels, cell } of this.#cells.values()) yield* cell.samples(labels)
  }
}

class CounterCell implements Counter, Cell {
  #value = 0

  add(by = 1): void {
    this.#value += by
  }

  samples(labels: Labels): Iterable<Sample> {
    return [buildSample('', labels, this.#value)]
  }
}

class HistogramCell implements Histogram, Cell {
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    let at = 0
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at += 1
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
  }

  *samples(labels: Labels): Iterable<Sample> {
    let total = 0
    for (const [at, count] of this.#counts.entries()) {
      total += count
      const bound = this.#bounds[at]
      yield buildSample('_bucket', [...labels, ['le', bound === undefined ? '+Inf' : String(bound)]], total)
    }
    yield buildSample('_sum', labels, this.#sum)
    yield buildSample('_count', labels, total)
  }
}

function pairs(names: readonly string[], values: readonly string[]): Labels {
  return names.map((name, at) => [name, values[at] ?? ''])
}

function buildSample(suffix: Sample['suffix'], labels: Labels, value: number): Sample {
  return { suffix, labels, value }
}
