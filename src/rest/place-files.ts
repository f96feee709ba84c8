// Adds the ids of uploaded files to the payload, each at the media attribute it was sent for, in addition to the value
// that the payload has there.

import { isRecord } from '../lib/is-record.ts'
import type { MediaAttribute } from '../model/attribute.ts'

type Data = Readonly<Record<string, unknown>>

export interface PlacedFile {
  /** Attribute names and indexes: `sections`, `0`, `image`. */
  readonly path: readonly string[]
  readonly attribute: MediaAttribute
  readonly id: number
}

export function placeFiles(data: Data, files: readonly PlacedFile[]): Data {
  const byPath = new Map<string, PlacedFile[]>()
  for (const file of files) {
    const key = file.path.join('.')
    byPath.set(key, [...(byPath.get(key) ?? []), file])
  }
  let placed: unknown = data
  for (const [first, ...more] of byPath.values()) {
    if (first === undefined) continue
    const ids = [first, ...more].map(({ id }) => id)
    placed = withChanged(placed, first.path, (given) =>
      // Of several files for an attribute that holds one, the last is kept, as recorded.
      first.attribute.multiple ? added(given, ids) : ids.at(-1),
    )
  }
  return placed as Data
}

function withChanged(value: unknown, path: readonly string[], change: (given: unknown) => unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return change(value)
  if (Array.isArray(value)) {
    return value.map((element, index) =>
      String(index) === step ? withChanged(element, rest, change) : element,
    )
  }
  const record = isRecord(value) ? value : {}
  return { ...record, [step]: withChanged(record[step], rest, change) }
}

/** Adds the ids to those in the payload, or, when the payload has none, to the stored ones. */
function added(given: unknown, ids: readonly number[]): unknown {
  if (given === undefined) return { connect: ids }
  if (given === null) return ids
  if (Array.isArray(given)) return [...given, ...ids]
  if (!isRecord(given) || 'id' in given) return [given, ...ids]
  const key = given['set'] === undefined || given['set'] === null ? 'connect' : 'set'
  const listed = given[key]
  return {
    ...given,
    [key]: [...(Array.isArray(listed) ? listed : listed === undefined ? [] : [listed]), ...ids],
  }
}
