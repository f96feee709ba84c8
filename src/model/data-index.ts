// The entries under `data` by id and by `$ref`: what relations of other entries may name.

import type { DiagnosticPath } from '../errors/diagnostic.ts'
import type { Checking } from './checking.ts'

export interface DataIndex {
  /** The uid of the entry that a `$ref` names. */
  readonly refs: ReadonlyMap<string, string>
  /** Whether the content-type has, or will have, an entry of that id. */
  hasId(uid: string, id: number): boolean
}

/** What the checks of entries are given. */
export interface DataChecking extends Checking {
  readonly index: DataIndex
}

/** Ids and `$ref`s that appear twice are reported on the way. */
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

/** Where the entries of a content-type stand: under the key that `contentTypes` has for it. */
export function dataPath(uid: string, sources: Checking['sources']): DiagnosticPath {
  return ['data', sources.types.get(uid)?.sourceKey ?? uid]
}

/** A positive whole number. */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
