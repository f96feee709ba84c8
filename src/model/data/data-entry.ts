// An entry of `data` in its long form, and where each of its values is written.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { ContentType } from '../content-type.ts'

export interface DataEntry {
  readonly type: ContentType
  /**
   * The form of a payload, with `id`: relations are ids, zones name their components, moments are absolute. Names of
   * entries elsewhere stay as they are written.
   */
  readonly data: Readonly<Record<string, unknown>>
  /** Where the entry is written. */
  readonly path: DiagnosticPath
  /** The values that are not written below `path` under their own names. */
  readonly moved: readonly MovedEntry[]
}

export interface MovedEntry {
  /** Steps within `data`. */
  readonly at: readonly string[]
  /** From the root of the file. */
  readonly to: DiagnosticPath
}

/** The place in the file of the value at these steps of the entry. */
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
