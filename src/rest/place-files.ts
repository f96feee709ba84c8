// Adds the ids of uploaded files to the payload at their media attributes.

import { isRecord } from '../lib/is-record.ts'
import type { MediaAttribute } from '../model/attribute.ts'

type Data = Readonly<Record<string, unknown>>

export interface PlacedFile {
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
      // An attribute that holds one file keeps the last of several, as in Strapi.
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

/** Adds to the ids in the payload, or, when it has none, to the stored ones. */
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
