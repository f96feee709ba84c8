// Finds entries of `data` by unique attributes, and the first required text attribute, else `title` or
// `name`.

import { slugify } from '../../lib/slugify.ts'
import type { ScalarAttribute } from '../attribute.ts'
import type { ContentType } from '../content-type.ts'
import type { Draft } from './expansion.ts'

/** A report would show private values. */
export function listNamingAttributes(type: ContentType): readonly ScalarAttribute[] {
  const scalars = [...type.attributes.values()].filter(
    (attribute): attribute is ScalarAttribute => attribute.kind === 'scalar' && !attribute.private,
  )
  const texts = scalars.filter((attribute) => isText(attribute) && !attribute.unique)
  const name =
    texts.find(({ required }) => required) ?? texts.find((one) => ['title', 'name'].includes(one.name))
  return scalars.filter((attribute) => attribute.unique || attribute === name)
}

function isText({ type }: ScalarAttribute): boolean {
  return ['string', 'text', 'email', 'uid'].includes(type)
}

/** A missing slug is made later, but `data` may already refer to it. */
function nameBy({ name, type, targetField }: ScalarAttribute, data: Draft['data']): unknown {
  const made = type === 'uid' && data[name] === undefined ? data[targetField ?? ''] : undefined
  return typeof made === 'string' ? slugify(made) : data[name]
}

export interface EntryNames {
  find(type: ContentType, name: string): readonly Draft[]
  all(type: ContentType): Iterable<string>
}

export function buildEntryNames(drafts: readonly Draft[]): EntryNames {
  const byType = new Map<ContentType, ReadonlyMap<string, readonly Draft[]>>()
  const getNames = (type: ContentType): ReadonlyMap<string, readonly Draft[]> => {
    const known = byType.get(type)
    if (known !== undefined) return known
    const names = new Map<string, Draft[]>()
    byType.set(type, names)
    const attributes = listNamingAttributes(type)
    for (const draft of drafts) {
      if (draft.type !== type) continue
      const own = new Set(attributes.map((attribute) => nameBy(attribute, draft.data)))
      for (const value of own) {
        if (typeof value !== 'string' && typeof value !== 'number') continue
        const called = names.get(String(value)) ?? []
        names.set(String(value), called)
        called.push(draft)
      }
    }
    return names
  }
  return {
    find: (type, name) => getNames(type).get(name) ?? [],
    all: (type) => getNames(type).keys(),
  }
}
