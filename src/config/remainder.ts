// A file without the parts that have faults: a configuration that later steps can check.

import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import type { Config } from './config.ts'
import { type FaultyPlaces, getPart } from './faulty-parts.ts'
import { validate } from './generated/validate-config.js'
import { normalize, type Origin } from './normalize.ts'
import type { RawConfig } from './raw-config.ts'
import { listShapeFaults } from './shape/shape-fault.ts'

/** Taking a part out may make another one wrong, which is taken out in the next round. */
const MAX_ROUNDS = 5

export interface Remainder {
  readonly config: Config
  /** Undefined: nothing can be said of the rest. This remainder must not be used afterwards. */
  without(faults: readonly Diagnostic[]): Remainder | undefined
  /** Whether a fault may be a consequence of what was left out. */
  touches(fault: Diagnostic): boolean
  /** The place in the file of a path in `config`. */
  inFile(path: DiagnosticPath): DiagnosticPath
}

interface RemainderSource {
  readonly raw: RawConfig
  readonly seed: Pick<Config, 'data' | 'fake'>
  readonly origin: Origin
  readonly faulty: FaultyPlaces
}

export function createRemainder(source: RemainderSource): Remainder {
  const { raw, seed, origin, faulty } = source
  return {
    get config() {
      return normalize(raw, seed, origin)
    },
    without: (faults) => withoutFaults(source, faults),
    touches: (fault) => faulty.touches(fault),
    inFile: (path) => faulty.inFile(path),
  }
}

/** The paths of `faults` are those in `raw`. */
export function withoutFaults(source: RemainderSource, faults: readonly Diagnostic[]): Remainder | undefined {
  const { faulty } = source
  const { data: _, ...raw } = structuredClone(source.raw)
  const seed = structuredClone(source.seed)
  const paths = faults.map(({ path }) => path)
  for (const path of inReverse(paths.filter(([section]) => section === 'data'))) {
    const isFake = path[1] === 'fake' && path.length > 2
    faulty.remove(isFake ? { data: { fake: seed.fake.counts } } : seed, path)
  }
  const others = paths.filter(([section]) => section !== 'data')
  return removeAt(raw, others, faulty)
    ? createRemainder({ ...source, raw, seed: { ...seed, data: seed.data ?? {} } })
    : undefined
}

/** Takes the parts with errors out of `value`, in place. False: nothing can be said of the rest. */
export function removeFaults(value: unknown, faults: readonly Diagnostic[], faulty: FaultyPlaces): boolean {
  const errors = faults.filter(({ severity }) => severity === 'error')
  return removeAt(
    value,
    errors.map(({ path }) => path),
    faulty,
  )
}

/** Until what is left has the right shape. */
function removeAt(value: unknown, paths: readonly DiagnosticPath[], faulty: FaultyPlaces): boolean {
  let wrong = paths
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (const path of inReverse(wrong)) if (!faulty.remove(value, path)) return false
    if (validate(value)) return true
    wrong = listShapeFaults(validate.errors ?? [], value).map(({ path, keyword, params }) =>
      keyword === 'additionalProperties' ? [...path, String(params['additionalProperty'])] : path,
    )
  }
  return false
}

/** One path for each part, the last item of a list first: the places of those before it stay as they are. */
function inReverse(paths: readonly DiagnosticPath[]): readonly DiagnosticPath[] {
  const byPart = new Map(paths.map((path) => [JSON.stringify(getPart(path)), path]))
  return [...byPart.values()].sort((a, b) => compare(b, a))
}

function compare(a: DiagnosticPath, b: DiagnosticPath): number {
  for (const [index, step] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    if (typeof step === 'number' && typeof other === 'number' && step !== other) return step - other
    if (String(step) !== String(other)) return String(step) < String(other) ? -1 : 1
  }
  return a.length - b.length
}
