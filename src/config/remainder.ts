// Removes the faulty parts of a file, so that later steps can check the rest.

import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import type { Config } from './config.ts'
import { type FaultyPlaces, getPart } from './faulty-parts.ts'
import { validate } from './generated/validate-config.js'
import { normalize, type Origin } from './normalize.ts'
import type { RawConfig } from './raw-config.ts'
import { listShapeFaults } from './shape/shape-fault.ts'

/** Removing a part may make another one wrong, which is removed in the next round. */
const MAX_ROUNDS = 5

export interface Remainder {
  readonly config: Config
  without(faults: readonly Diagnostic[]): Remainder | undefined
  touches(fault: Diagnostic): boolean
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

/** Changes `value` in place. Returns false if the rest cannot be checked. */
export function removeFaults(value: unknown, faults: readonly Diagnostic[], faulty: FaultyPlaces): boolean {
  const errors = faults.filter(({ severity }) => severity === 'error')
  return removeAt(
    value,
    errors.map(({ path }) => path),
    faulty,
  )
}

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

/** The last item of a list first, so that the positions of earlier items stay valid. */
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
