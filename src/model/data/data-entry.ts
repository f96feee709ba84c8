// Declares an entry of `data` in its long form, with the path of each value.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { ContentType } from '../content-type.ts'

export interface DataEntry {
  readonly type: ContentType
  /**
   * Like a payload, with `id`: relations are ids, zones name their components, moments are absolute. Names of
   * entries elsewhere stay as written.
   */
  readonly data: Readonly<Record<string, unknown>>
  readonly path: DiagnosticPath
  /** Values that are not below `path` under their own names. */
  readonly moved: readonly MovedEntry[]
}

export interface MovedEntry {
  /** Steps within `data`. */
  readonly at: readonly string[]
  /** From the root of the file. */
  readonly to: DiagnosticPath
}

export function getPlace(
  { path, moved }: Pick<DataEntry, 'path' | 'moved'>,
  steps: readonly string[],
): DiagnosticPath {
  let best: MovedEntry = { at: [], to: path }
  for (const one of moved) {
    if (one.at.length > best.at.length && one.at.every((step, index) => step === steps[index])) best = one
  }
  const rest = steps.slice(best.at.length)
  return [...best.to, ...rest.map((step) => (/^\d+$/.test(step) ? Number(step) : step))]
}
