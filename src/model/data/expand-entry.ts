// Expands one entry under `data`, into one per locale if values are given by locale.

import { didYouMean } from '../../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { formatSuggestion } from '../checking.ts'
import type { ContentType } from '../content-type.ts'
import { expandKey } from './expand-object.ts'
import { expandRelation } from './expand-relation.ts'
import { type Draft, type Expansion, getWrittenPlace, type Place, ranks } from './expansion.ts'
import { isByLocale, listLocales } from './values-by-locale.ts'

type EntryInput = Readonly<Record<string, unknown>>

const entryKeys: ReadonlySet<string> = new Set([
  ...['$ref', 'id', 'createdAt', 'updatedAt', 'publishedAt', 'locale', 'localizations'],
])
const fileKeys: ReadonlySet<string> = new Set([...entryKeys, 'file', 'folder', 'folderPath', 'related'])

/** Returns the first localization. */
export function expandEntry(
  type: ContentType,
  written: EntryInput,
  path: DiagnosticPath,
  rank: number,
  expansion: Expansion,
): Draft {
  const entry = withPublishedAt(type, written, path, expansion)
  const [first, ...others] = listLocales(type, entry, path, expansion)
  const base = addDraft(type, path, rank, first, expansion)
  const members = [base, ...others.map((code) => addDraft(type, path, ranks.translation, code, expansion))]
  const own = type === expansion.fileType ? fileKeys : entryKeys
  const extra = type.document === undefined ? own : new Set([...own, 'documentId'])
  const byLocale = new Set<string>()
  for (const [key, item] of Object.entries(entry)) {
    const place = (draft: Draft): Place => ({ expansion, draft, path: [...path, key], at: [key] })
    if (!isByLocale(type, key, item)) {
      if (key === 'localizations') expandLocalizations(item, place(base))
      else if (key !== 'locale' || first === undefined)
        expandKey(type, key, item, place(base), extra, base.data)
      continue
    }
    byLocale.add(key)
    for (const draft of members) {
      const code = String(draft.data['locale'])
      if (Object.hasOwn(item, code))
        expandKey(type, key, item[code], getWrittenPlace(place(draft), code), extra, draft.data)
    }
  }
  if (others.length > 0) for (const draft of members) draft.group = { members, byLocale }
  checkSystemKeys(entry, type, path, expansion)
  checkLocale(entry['locale'], type, path, expansion)
  return base
}

/** `published: false` makes a draft; an attribute may have the same name. */
function withPublishedAt(
  type: ContentType,
  entry: EntryInput,
  path: DiagnosticPath,
  { getNames, fault }: Expansion,
): EntryInput {
  const { published, ...rest } = entry
  if (typeof published !== 'boolean' || getNames(type).includes('published')) return entry
  if (published) return rest
  if (type.draftAndPublish) return { ...rest, publishedAt: null }
  const help = `write "drafts: true" at the content-type, or leave it out`
  fault('MOD081', [...path, 'published'], `entries of ${type.uid} are always published`, { at: 'key', help })
  return rest
}

function addDraft(
  type: ContentType,
  path: DiagnosticPath,
  rank: number,
  locale: string | undefined,
  { drafts }: Expansion,
): Draft {
  const draft: Draft = { type, path, data: locale === undefined ? {} : { locale }, moved: [], rank }
  drafts.push(draft)
  return draft
}

function expandLocalizations(value: unknown, place: Place): void {
  const { data, type } = place.draft
  data['localizations'] = value
  if (value === undefined || value === null) return
  const relation = { name: 'localizations', target: type, cardinality: 'many' } as const
  data['localizations'] = expandRelation(relation, value, place, (id) => {
    data['localizations'] = id
  })
}

/** They would be dropped silently. */
function checkSystemKeys(
  entry: EntryInput,
  type: ContentType,
  path: DiagnosticPath,
  { localizes, fault }: Expansion,
): void {
  const i18n = localizes
    ? 'it comes with "pluginOptions: { i18n: { localized: true } }"'
    : 'it comes with the i18n plugin, which is switched off'
  const missing = {
    publishedAt: type.draftAndPublish ? undefined : 'it comes with "options: { draftAndPublish: true }"',
    locale: type.localized ? undefined : i18n,
    localizations: type.localized ? undefined : i18n,
  }
  for (const [key, help] of Object.entries(missing)) {
    if (help === undefined || (entry[key] ?? null) === null) continue
    fault('MOD081', [...path, key], `entries of ${type.uid} have no "${key}"`, { at: 'key', help })
  }
}

/** An entry in an unknown locale could never be requested. */
function checkLocale(value: unknown, type: ContentType, path: DiagnosticPath, { fault }: Expansion): void {
  const codes = type.locale?.enum
  if (typeof value !== 'string' || codes === undefined || codes.includes(value)) return
  fault('MOD090', [...path, 'locale'], `unknown locale "${value}"`, {
    help: formatSuggestion(didYouMean(value, codes), codes),
  })
}
