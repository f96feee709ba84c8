// Gives every entry of `data` its id, and finds entries by id and `$ref`.

import { showValue } from '../checking.ts'
import type { ContentType } from '../content-type.ts'
import type { Draft, Expansion } from './expansion.ts'

export interface NumberedEntries {
  readonly byRef: ReadonlyMap<string, Draft>
  find(type: ContentType, id: number): Draft | undefined
}

/**
 * Free ids count from 1: for entries of the file in order, then of plugins, nested ones, and translations.
 * Reports repeated ids and `$ref`s.
 */
export function numberEntries({ drafts, fault }: Pick<Expansion, 'drafts' | 'fault'>): NumberedEntries {
  const byRef = new Map<string, Draft>()
  const byType = new Map<ContentType, Draft[]>()
  for (const draft of drafts) {
    const list = byType.get(draft.type) ?? []
    byType.set(draft.type, list)
    list.push(draft)
    const { $ref: ref } = draft.data
    const path = [...draft.path, '$ref']
    if (ref === undefined) continue
    if (typeof ref !== 'string' || ref === '' || ref.startsWith('$')) {
      fault('MOD087', path, 'a $ref is a name without "$", such as "biscotte"')
    } else if (byRef.has(ref)) {
      fault('MOD083', path, `there is already an entry with the $ref "${ref}"`)
    } else byRef.set(ref, draft)
  }
  const byId = new Map<ContentType, Map<number, Draft>>()
  for (const [type, list] of byType) {
    const ids = new Map<number, Draft>()
    byId.set(type, ids)
    for (const draft of list) {
      const given = draft.data['id']
      const id = given === undefined ? undefined : givenId(given, draft, ids, fault)
      if (id === undefined) continue
      ids.set(id, draft)
      draft.id = id
    }
    let next = 1
    // Sorting keeps the order within a rank.
    for (const draft of [...list].sort((a, b) => a.rank - b.rank)) {
      if (draft.id !== undefined) continue
      while (ids.has(next)) next += 1
      ids.set(next, draft)
      draft.id = next
    }
  }
  return { byRef, find: (type, id) => byId.get(type)?.get(id) }
}

function givenId(
  id: unknown,
  { type, path }: Draft,
  ids: ReadonlyMap<number, Draft>,
  fault: Expansion['fault'],
): number | undefined {
  if (!isId(id)) {
    fault('MOD087', [...path, 'id'], `an id must be a positive whole number, not ${showValue(id)}`)
    return undefined
  }
  if (!ids.has(id)) return id
  fault('MOD084', [...path, 'id'], `there is already an entry of ${type.uid} with the id ${id}`)
  return undefined
}

export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
