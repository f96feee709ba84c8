// Checks the entries under `data`: the content-types, attributes and entries that they name exist, and values are of
// the right kind. Constraints are checked when the entries are written.

import type { DiagnosticPath } from '../errors/diagnostic.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { Attribute } from './attribute.ts'
import { checkDataRelation } from './check-data-relation.ts'
import { checkObject, type DataHolder } from './check-data-value.ts'
import { type Checking, suggestion } from './checking.ts'
import { type DataChecking, dataPath, indexData } from './data-index.ts'
import { nearUid } from './find-target.ts'
import type { TypeSource } from './type-source.ts'

/** Reports at most this many faults, since a generated file repeats its mistake in every entry. */
const MOST_FAULTS = 100

export function checkData(checking: Checking): void {
  let faults = 0
  checkEntries({
    ...checking,
    fault(...fault) {
      faults += 1
      if (faults <= MOST_FAULTS) checking.fault(...fault)
    },
  })
  if (faults <= MOST_FAULTS) return
  checking.fault('MOD089', ['data'], `${faults - MOST_FAULTS} more faults in the entries are not shown`, {
    at: 'key',
  })
}

function checkEntries(checking: Checking): void {
  const { config, sources, holders, fault } = checking
  const data: DataChecking = { ...checking, index: indexData(checking) }
  for (const [uid, entries] of Object.entries(config.data)) {
    const path = dataPath(uid, sources)
    const source = sources.types.get(uid)
    if (source === undefined) {
      const known = [...sources.types.keys()]
      fault('MOD080', path, `data for the unknown content-type "${uid}"`, {
        at: 'key',
        help: suggestion(nearUid(uid, known), known),
      })
      continue
    }
    checkSingleType(source, entries, path, checking)
    const attributes = holders.types.get(uid)?.attributes ?? new Map<string, Attribute>()
    const holder: DataHolder = {
      source,
      attributes,
      extra: holders.files?.source.uid === uid ? fileKeys : entryKeys,
    }
    for (const [place, entry] of entries.entries()) {
      checkObject(entry, [...path, place], holder, data)
      checkSystemKeys(entry, uid, [...path, place], data)
      checkLocale(entry['locale'], [...path, place], data)
      checkLocalizations(entry['localizations'], uid, [...path, place], data)
    }
  }
}

const entryKeys: ReadonlySet<string> = new Set([
  ...['$ref', 'id', 'createdAt', 'updatedAt', 'publishedAt', 'locale', 'localizations'],
])
const fileKeys: ReadonlySet<string> = new Set([...entryKeys, 'file', 'folder', 'folderPath', 'related'])

function checkSingleType(
  source: TypeSource,
  entries: readonly Readonly<Record<string, unknown>>[],
  path: DiagnosticPath,
  { holders, fault }: Checking,
): void {
  if (source.config.kind !== 'singleType') return
  const localized = holders.types.get(source.uid)?.built.localized === true
  const seen = new Set<unknown>()
  for (const [place, entry] of entries.entries()) {
    const locale = localized ? (entry['locale'] ?? holders.locales?.standard) : undefined
    if (seen.has(locale)) {
      const where = locale === undefined ? '' : ` in the locale "${String(locale)}"`
      fault('MOD086', [...path, place], `${source.uid} is a single type: it has one entry${where}`)
    }
    seen.add(locale)
  }
}

/** Reports keys that this content-type does not store, since they would be dropped silently. */
function checkSystemKeys(
  entry: Readonly<Record<string, unknown>>,
  uid: string,
  path: DiagnosticPath,
  { holders, fault }: Checking,
): void {
  const type = holders.types.get(uid)?.built
  if (type === undefined) return
  const i18n = holders.locales
    ? 'it comes with "pluginOptions: { i18n: { localized: true } }"'
    : 'it comes with the i18n plugin, which is switched off'
  const missing = {
    publishedAt: type.draftAndPublish ? undefined : 'it comes with "options: { draftAndPublish: true }"',
    locale: type.localized ? undefined : i18n,
    localizations: type.localized ? undefined : i18n,
  }
  for (const [key, help] of Object.entries(missing)) {
    if (help === undefined || (entry[key] ?? null) === null) continue
    fault('MOD081', [...path, key], `entries of ${uid} have no "${key}"`, { at: 'key', help })
  }
}

/** An entry in an unknown locale could never be requested. */
function checkLocale(value: unknown, path: DiagnosticPath, { holders, fault }: Checking): void {
  const codes = holders.locales?.codes
  if (typeof value !== 'string' || codes === undefined || codes.includes(value)) return
  fault('MOD090', [...path, 'locale'], `unknown locale "${value}"`, {
    help: suggestion(didYouMean(value, codes), codes),
  })
}

function checkLocalizations(value: unknown, uid: string, path: DiagnosticPath, checking: DataChecking): void {
  if (value === undefined || value === null) return
  const target = checking.holders.types.get(uid)?.built
  if (target === undefined) return
  checkDataRelation(
    { name: 'localizations', target, cardinality: 'many' },
    value,
    [...path, 'localizations'],
    checking,
  )
}
