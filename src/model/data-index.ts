// The entries under `data` by id and by `$ref`: what relations of other entries may name.

import type { SeedEntry } from '../config/config.ts'
import type { Checking } from './checking.ts'

export interface DataIndex {
  /** The uid of the entry that a `$ref` names. */
  readonly refs: ReadonlyMap<string, string>
  /** Whether the content-type has, or will have, an entry of that id. */
  hasId(uid: string, id: number): boolean
}

/** Ids and `$ref`s that appear twice are reported on the way. */
export function indexData({ config, fault }: Pick<Checking, 'config' | 'fault'>): DataIndex {
  const refs = new Map<string, string>()
  const ids = new Map<string, Ids>()
  for (const [uid, entries] of Object.entries(config.data)) {
    const given = new Set<number>()
    for (const [index, entry] of entries.entries()) {
      const path = ['data', uid, index]
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
    ids.set(uid, { given, unnumbered: unnumbered(entries) })
  }
  return {
    refs,
    hasId(uid, id) {
      const known = ids.get(uid)
      if (known === undefined) return false
      // Entries without an id get the next free ones, above the largest given one at most.
      return (
        known.given.has(id) || (known.unnumbered > 0 && id <= Math.max(0, ...known.given) + known.unnumbered)
      )
    },
  }
}

interface Ids {
  readonly given: ReadonlySet<number>
  readonly unnumbered: number
}

function unnumbered(entries: readonly SeedEntry[]): number {
  return entries.filter(({ id }) => id === undefined).length
}

/** A positive whole number. */
export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
