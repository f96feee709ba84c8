// Values that only one entry may have: of unique attributes, of sets that are unique together, and of exclusive
// relations. An attempt claims the values that it uses, and releases them if the entry is made anew.

import type { Attribute } from '../../../model/attribute.ts'
import type { AttributeSet, ContentType } from '../../../model/content-type.ts'

type Values = Readonly<Record<string, unknown>>

export interface Claims {
  /** False if another entry has the value already. `of`: the unique attribute, or the name of the relation. */
  take(of: Attribute | string, value: unknown): boolean
  /** Takes the values of all sets that are unique together; false if other entries have those of one. */
  sets(type: ContentType, entries: readonly (Values | undefined)[]): boolean
  release(): void
}

interface UsedValues {
  /** Takes the values of an entry that is written out. */
  note(type: ContentType, entries: readonly Values[]): void
  claim(): Claims
}

export function createUsedValues(): UsedValues {
  const taken = new Map<Attribute | AttributeSet | string, Set<unknown>>()

  function claim(): Claims {
    const claimed: (readonly [values: Set<unknown>, value: unknown])[] = []
    const take: Claims['take'] = (of, value) => takeFor(of, value)
    function takeFor(of: Attribute | AttributeSet | string, value: unknown): boolean {
      const values = taken.get(of) ?? new Set()
      taken.set(of, values)
      if (values.has(value)) return false
      values.add(value)
      claimed.push([values, value])
      return true
    }
    return {
      take,
      sets(type, entries) {
        return type.uniqueSets.every((set) =>
          entries.every((entry) => {
            const key = entry === undefined ? undefined : buildKey(set, entry)
            return key === undefined || takeFor(set, key)
          }),
        )
      },
      release() {
        for (const [values, value] of claimed) values.delete(value)
      },
    }
  }

  return {
    claim,
    note(type, entries) {
      const claims = claim()
      claims.sets(type, entries)
      for (const attribute of type.attributes.values()) {
        if (attribute.kind !== 'scalar' || !attribute.unique) continue
        for (const entry of entries) claims.take(attribute, entry[attribute.name])
      }
    },
  }
}

/** Within a locale. Undefined if a value is missing: then the entry is like no other. */
function buildKey(set: AttributeSet, entry: Values): string | undefined {
  const values = set.map(({ name }) => entry[name] ?? undefined)
  return values.includes(undefined) ? undefined : JSON.stringify([...values, entry['locale']])
}
