// Tracks unique values. An attempt claims its values, and releases them if the entry is generated again.

import type { Attribute } from '../../../model/attribute.ts'
import type { AttributeSet, ContentType } from '../../../model/content-type.ts'

type Values = Readonly<Record<string, unknown>>

export interface Claims {
  /** False if the value is taken. `of`: the unique attribute, or the name of the relation. */
  take(of: Attribute | string, value: unknown): boolean
  /** Claims the values of unique sets; false if one is taken. */
  sets(type: ContentType, entries: readonly (Values | undefined)[]): boolean
  release(): void
}

interface UsedValues {
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

/** Unique within a locale. A set with a missing value cannot clash. */
function buildKey(set: AttributeSet, entry: Values): string | undefined {
  const values = set.map(({ name }) => entry[name] ?? undefined)
  return values.includes(undefined) ? undefined : JSON.stringify([...values, entry['locale']])
}
