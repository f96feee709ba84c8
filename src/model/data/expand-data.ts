// Expands `data` into entries in their long form, with ids, and reports every fault.

import type { SeedEntry } from '../../config/config.ts'
import { type Fault, formatSuggestion } from '../checking.ts'
import type { ContentType } from '../content-type.ts'
import type { ContributedEntry } from '../contribution.ts'
import { isShared } from '../localizations.ts'
import type { DataEntry } from './data-entry.ts'
import { buildEntryNames } from './entry-names.ts'
import { expandEntry } from './expand-entry.ts'
import { type DataModel, type Draft, type Expansion, ranks } from './expansion.ts'
import { findDataType, suggestDataType } from './find-data-type.ts'
import { type NumberedEntries, numberEntries } from './number-entries.ts'
import { getInLocale, resolveReference } from './resolve-references.ts'

interface DataInput {
  readonly data: Readonly<Record<string, readonly SeedEntry[]>>
  /** They follow the entries of `data`. */
  readonly given: readonly ContributedEntry[]
  /** Epoch milliseconds. */
  readonly now: number
}

export function expandData(
  { data, given, now }: DataInput,
  model: DataModel,
  fault: Fault = () => {},
): readonly DataEntry[] {
  const expansion: Expansion = {
    ...model,
    now,
    fault,
    drafts: [],
    references: [],
    nest: (type, entry, path) => expandEntry(type, entry, path, ranks.nested, expansion),
  }
  const seen = new Map<ContentType, string>()
  for (const [key, entries] of Object.entries(data)) {
    const type = typeFor(key, seen, expansion)
    if (type === undefined) continue
    for (const [index, entry] of entries.entries())
      expandEntry(type, entry, ['data', key, index], ranks.listed, expansion)
  }
  for (const { uid, data: entry, path } of given) {
    const type = model.types.get(uid)
    if (type !== undefined) expandEntry(type, entry, path, ranks.ofPlugin, expansion)
  }
  checkSingleTypes(expansion)
  const numbered = numberEntries(expansion)
  const names = buildEntryNames(expansion.drafts)
  const resolving = { ...expansion, numbered, names }
  for (const reference of expansion.references) resolveReference(reference, resolving)
  for (const draft of expansion.drafts) shareValues(draft, numbered)
  // Nested entries come after listed ones.
  return [...expansion.drafts].sort((a, b) => a.rank - b.rank).map(finished)
}

function typeFor(
  key: string,
  seen: Map<ContentType, string>,
  { types, fault }: Expansion,
): ContentType | undefined {
  const type = findDataType(key, types)
  const path = ['data', key]
  if (type === undefined) {
    fault('MOD080', path, `data for the unknown content-type "${key}"`, {
      at: 'key',
      help: formatSuggestion(suggestDataType(key, types), types.keys()),
    })
    return undefined
  }
  const before = seen.get(type)
  if (before !== undefined) {
    const message = `"${key}" is the same content-type as "${before}"`
    fault('MOD102', path, message, { at: 'key', help: 'join the two' })
  }
  seen.set(type, key)
  return type
}

/** A single type has one entry in each locale. */
function checkSingleTypes({ drafts, fault }: Expansion): void {
  const seen = new Set<string>()
  for (const { type, path, data } of drafts) {
    if (type.kind !== 'singleType') continue
    const locale = type.locale === undefined ? undefined : String(data['locale'] ?? type.locale.default)
    const key = JSON.stringify([type.uid, locale])
    if (seen.has(key)) {
      const where = locale === undefined ? '' : ` in the locale "${locale}"`
      fault('MOD086', path, `${type.uid} is a single type: it has one entry${where}`)
    }
    seen.add(key)
  }
}

const OF_ONE = new Set(['id', '$ref', 'locale', 'localizations'])

/** Copies values that are shared by several locales to each. */
function shareValues(draft: Draft, numbered: NumberedEntries): void {
  const { group, type } = draft
  const [base] = group?.members ?? []
  if (group === undefined || base === undefined) return
  draft.data['localizations'] = group.members.flatMap(({ id }) => (id === draft.id ? [] : [id]))
  if (draft === base) return
  for (const [name, value] of Object.entries(base.data)) {
    if (OF_ONE.has(name) || group.byLocale.has(name)) continue
    const attribute = type.attributes.get(name)
    const target = attribute?.kind === 'relation' && !isShared(attribute) ? attribute.target : undefined
    const localized = (id: unknown): unknown => {
      const found = target === undefined ? undefined : numbered.find(target, Number(id))
      return found === undefined ? id : getInLocale(found, draft).id
    }
    draft.data[name] = Array.isArray(value) && target !== undefined ? value.map(localized) : localized(value)
  }
}

function finished({ type, path, moved, id, data }: Draft): DataEntry {
  const { $ref: _, ...values } = data
  return { type, path, moved, data: { ...values, id } }
}
