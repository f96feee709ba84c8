// Indexes the entries under `data` by id and by `$ref`, for relations that name them.

import type { DiagnosticPath } from '../errors/diagnostic.ts'
import type { Checking } from './checking.ts'

export interface DataIndex {
  /** The content-type's uid for each `$ref`. */
  readonly refs: ReadonlyMap<string, string>
  /** Whether the content-type has, or will have, an entry with the id. */
  hasId(uid: string, id: number): boolean
}

/** The input of the checks of entries. */
export interface DataChecking extends Checking {
  readonly index: DataIndex
}

/** Reports ids and `$ref`s that appear twice. */
export function indexData({
  config,
  sources,
  fault,
}: Pick<Checking, 'config' | 'sources' | 'fault'>): DataIndex {
  const refs = new Map<string, string>()
  const ids = new Map<string, ReadonlySet<number>>()
  for (const [uid, entries] of Object.entries(config.data)) {
    const given = new Set<number>()
    for (const [index, entry] of entries.entries()) {
      const path = [...dataPath(uid, sources), index]
      const { id, $ref: ref } = entry
      if (id !== undefined) {
        if (!isId(id)) {
          fault('MOD087', [...path, 'id'], `an id must be a positive whole number, not ${JSON.stringify(id)}`)
        } else if (given.has(id)) {
          fault('MOD084', [...path, 'id'], `there is already an entry of ${uid} with the id ${id}`)
        } else given.add(id)
      }
      if (ref !== undefined) {
        if (typeof ref !== 'string' || ref === '' || ref.startsWith('$')) {
          fault('MOD087', [...path, '$ref'], 'a $ref is a name without "$", such as "biscotte"')
        } else if (refs.has(ref)) {
          fault('MOD083', [...path, '$ref'], `there is already an entry with the $ref "${ref}"`)
        } else refs.set(ref, uid)
      }
    }
    ids.set(uid, idsOf(given, entries.filter(({ id }) => id === undefined).length))
  }
  return { refs, hasId: (uid, id) => ids.get(uid)?.has(id) === true }
}

/** Entries without an id get the free numbers from 1 on. */
function idsOf(given: ReadonlySet<number>, unnumbered: number): ReadonlySet<number> {
  const ids = new Set(given)
  let next = 1
  for (let left = unnumbered; left > 0; left--) {
    while (ids.has(next)) next += 1
    ids.add(next)
  }
  return ids
}

/** The path of a content-type's entries, under the same key as in `contentTypes`. */
export function dataPath(uid: string, sources: Checking['sources']): DiagnosticPath {
  return ['data', sources.types.get(uid)?.sourceKey ?? uid]
}

/** A positive whole number. */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
