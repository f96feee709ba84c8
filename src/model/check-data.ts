// The entries under `data`: content-types, attributes and entries that they name exist, and values are of the right
// kind. Constraints are checked when the entries are written.

import type { DiagnosticPath } from '../errors/diagnostic.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { Attribute } from './attribute.ts'
import { checkDataRelation } from './check-data-relation.ts'
import { type Checking, suggestion } from './checking.ts'
import { type DataIndex, indexData } from './data-index.ts'
import { nearUid } from './find-target.ts'
import type { ComponentSource, TypeSource } from './type-source.ts'
import { showValue, wantedKind } from './value-kind.ts'

export function checkData(checking: Checking): void {
  const { config, sources, holders, fault } = checking
  const index = indexData(checking)
  for (const [uid, entries] of Object.entries(config.data)) {
    const path = ['data', uid]
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
    const holder: DataHolder = { source, attributes, extra: extraKeys(uid) }
    for (const [place, entry] of entries.entries()) {
      checkObject(entry, [...path, place], holder, index, checking)
      checkLocalizations(entry['localizations'], uid, [...path, place], index, checking)
    }
  }
}

/** What an object under `data` is an object of. */
interface DataHolder {
  readonly source: TypeSource | ComponentSource
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Keys beside the attributes. */
  readonly extra: ReadonlySet<string>
}

const entryKeys = ['$ref', 'id', 'createdAt', 'updatedAt', 'publishedAt', 'locale', 'localizations']
const fileKeys = ['file', 'folder', 'folderPath', 'related']

function extraKeys(uid: string): ReadonlySet<string> {
  return new Set(uid === 'plugin::upload.file' ? [...entryKeys, ...fileKeys] : entryKeys)
}

function checkSingleType(
  source: TypeSource,
  entries: readonly Readonly<Record<string, unknown>>[],
  path: DiagnosticPath,
  { config, holders, fault }: Checking,
): void {
  if (source.config.kind !== 'singleType') return
  const localized = holders.types.get(source.uid)?.built.localized === true
  const standard = config.plugins['i18n']?.config['defaultLocale'] ?? 'en'
  const seen = new Set<unknown>()
  for (const [place, entry] of entries.entries()) {
    const locale = localized ? (entry['locale'] ?? standard) : undefined
    if (seen.has(locale)) {
      const where = locale === undefined ? '' : ` in the locale "${String(locale)}"`
      fault('MOD086', [...path, place], `${source.uid} is a single type: it has one entry${where}`)
    }
    seen.add(locale)
  }
}

function checkObject(
  value: Readonly<Record<string, unknown>>,
  path: DiagnosticPath,
  { source, attributes, extra }: DataHolder,
  index: DataIndex,
  checking: Checking,
): void {
  const names = source.attributes.map(({ name }) => name)
  for (const [key, item] of Object.entries(value)) {
    if (extra.has(key)) {
      if (key.endsWith('At')) checkMoment(key, item, [...path, key], checking)
      continue
    }
    if (!names.includes(key)) {
      checking.fault('MOD081', [...path, key], `${source.uid} has no attribute "${key}"`, {
        at: 'key',
        help: suggestion(didYouMean(key, [...names, ...extra]), names),
      })
      continue
    }
    // Absent where the attribute itself is at fault, which was reported.
    const attribute = attributes.get(key)
    if (attribute !== undefined && item !== null) checkValue(attribute, item, [...path, key], index, checking)
  }
}

function checkMoment(key: string, value: unknown, path: DiagnosticPath, { fault }: Checking): void {
  const wanted = value === null ? undefined : wantedKind('datetime', value)
  if (wanted !== undefined) fault('MOD087', path, `"${key}" must be ${wanted}, not ${showValue(value)}`)
}

function checkValue(
  attribute: Attribute,
  value: unknown,
  path: DiagnosticPath,
  index: DataIndex,
  checking: Checking,
): void {
  switch (attribute.kind) {
    case 'scalar': {
      const wanted = wantedKind(attribute.type, value)
      if (wanted !== undefined) wrongKind(attribute, wanted, value, path, checking)
      else if (attribute.enum !== undefined && !attribute.enum.includes(String(value))) {
        checking.fault('MOD087', path, `"${attribute.name}" has no value ${showValue(value)}`, {
          help: suggestion(didYouMean(String(value), attribute.enum), attribute.enum),
        })
      }
      return
    }
    case 'relation':
      return checkDataRelation(attribute, value, path, index, checking)
    case 'media':
      return checkMedia(attribute, value, path, index, checking)
    case 'component':
      return forEach(attribute.repeatable, attribute, value, path, checking, (item, itemPath) => {
        checkComponent(attribute.component.uid, item, itemPath, new Set(['id']), index, checking)
      })
    case 'dynamiczone':
      return forEach(true, attribute, value, path, checking, (item, itemPath) => {
        const uid = item['__component']
        const known = attribute.components.map((component) => component.uid)
        if (typeof uid !== 'string') {
          checking.fault(
            'MOD088',
            itemPath,
            'an entry of a dynamic zone names its component in "__component"',
            {
              help: suggestion(undefined, known),
            },
          )
        } else if (!known.includes(uid)) {
          checking.fault(
            'MOD088',
            [...itemPath, '__component'],
            `"${attribute.name}" does not take "${uid}"`,
            {
              help: suggestion(nearUid(uid, known), known),
            },
          )
        } else checkComponent(uid, item, itemPath, new Set(['__component', 'id']), index, checking)
      })
  }
}

function checkComponent(
  uid: string,
  value: Readonly<Record<string, unknown>>,
  path: DiagnosticPath,
  extra: ReadonlySet<string>,
  index: DataIndex,
  checking: Checking,
): void {
  const holder = checking.holders.components.get(uid)
  if (holder === undefined) return
  checkObject(value, path, { source: holder.source, attributes: holder.attributes, extra }, index, checking)
}

/** An object, or a list of them. */
function forEach(
  repeatable: boolean,
  attribute: Attribute,
  value: unknown,
  path: DiagnosticPath,
  checking: Checking,
  check: (item: Readonly<Record<string, unknown>>, path: DiagnosticPath) => void,
): void {
  if (!repeatable) {
    if (isRecord(value)) check(value, path)
    else wrongKind(attribute, 'an object', value, path, checking)
  } else if (!Array.isArray(value)) {
    wrongKind(attribute, 'a list of objects', value, path, checking)
  } else {
    for (const [place, item] of value.entries()) {
      if (isRecord(item)) check(item, [...path, place])
      else wrongKind(attribute, 'a list of objects', item, [...path, place], checking)
    }
  }
}

/** Ids of stored files, or files to load: `{ file: ./a.png, caption: … }`. */
function checkMedia(
  attribute: Attribute & { kind: 'media' },
  value: unknown,
  path: DiagnosticPath,
  index: DataIndex,
  checking: Checking,
): void {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (!attribute.multiple && items.length > 1) {
    wrongKind(attribute, 'one file', value, path, checking)
    return
  }
  for (const [place, item] of items.entries()) {
    const itemPath = Array.isArray(value) ? [...path, place] : path
    if (isRecord(item) && 'file' in item) {
      const source = checking.sources.types.get(attribute.target.uid)
      if (source === undefined) continue
      const { attributes } = attribute.target
      checkObject(item, itemPath, { source, attributes, extra: new Set(['file']) }, index, checking)
    } else checkDataRelation(attribute, item, itemPath, index, checking)
  }
}

function checkLocalizations(
  value: unknown,
  uid: string,
  path: DiagnosticPath,
  index: DataIndex,
  checking: Checking,
): void {
  if (value === undefined || value === null) return
  const target = checking.holders.types.get(uid)?.built
  if (target === undefined) return
  checkDataRelation(
    { name: 'localizations', target, cardinality: 'many' },
    value,
    [...path, 'localizations'],
    index,
    checking,
  )
}

function wrongKind(
  { name }: Attribute,
  wanted: string,
  value: unknown,
  path: DiagnosticPath,
  { fault }: Checking,
): void {
  fault('MOD087', path, `"${name}" must be ${wanted}, not ${showValue(value)}`)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
