// The recorded data as Strapi 5 keeps it: what is not localized is the same in every locale of a document, that of its
// first row. Where that names a relation, the other side lists the rows of the other locales behind its first one.

import type { SeedData } from '../conformance/recorded-cms.ts'

type Json = Record<string, unknown>

interface Attribute {
  readonly type?: string
  readonly target?: string
  readonly inversedBy?: string
  readonly mappedBy?: string
  readonly pluginOptions?: { readonly i18n?: { readonly localized?: boolean } }
}

export function shareUnlocalized(data: SeedData, contentTypes: Readonly<Record<string, unknown>>): SeedData {
  const shared: SeedData = structuredClone(data)
  for (const [uid, type] of Object.entries(contentTypes)) {
    const { attributes, pluginOptions } = type as Attribute & { attributes: Record<string, Attribute> }
    if (pluginOptions?.i18n?.localized !== true) continue
    const common = Object.entries(attributes).filter(
      ([, attribute]) => attribute.pluginOptions?.i18n?.localized !== true,
    )
    const rows = shared[uid] ?? []
    for (const row of rows) {
      const first = firstOf(rows, row)
      if (first === row) continue
      for (const [name, attribute] of common) {
        row[name] = withOwnComponentIds(attribute, first[name])
        addBehind(shared, attribute, row, first[name])
      }
    }
  }
  return shared
}

function firstOf(rows: readonly Json[], row: Json): Json {
  const ids = [row['id'], ...((row['localizations'] ?? []) as unknown[])].map(Number)
  const smallest = Math.min(...ids)
  return rows.find(({ id }) => id === smallest) ?? row
}

/** Above those of the data. */
let lastComponentId = 9000

/** A component belongs to one row. */
function withOwnComponentIds({ type }: Attribute, value: unknown): unknown {
  return type === 'component' || type === 'dynamiczone' ? renumbered(value) : value
}

function renumbered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renumbered)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, renumbered(inner)]))
  if ('id' in copy) {
    lastComponentId += 1
    copy['id'] = lastComponentId
  }
  return copy
}

/** How many rows of other locales a list has by now. */
const counts = new WeakMap<readonly unknown[], number>()

function addBehind(data: SeedData, attribute: Attribute, row: Json, value: unknown): void {
  const inverse = attribute.inversedBy ?? attribute.mappedBy
  if (attribute.type !== 'relation' || inverse === undefined) return
  const targets = Array.isArray(value) ? value : [value]
  for (const target of data[attribute.target ?? ''] ?? []) {
    const listed = target[inverse]
    if (!targets.includes(target['id']) || !Array.isArray(listed) || listed.includes(row['id'])) continue
    // Behind those that were put there before it.
    const added = counts.get(listed) ?? 0
    const next = [...listed.slice(0, 1 + added), row['id'], ...listed.slice(1 + added)]
    counts.set(next, added + 1)
    target[inverse] = next
  }
}
