// Checks that values of attributes under `data` are of the right kind, including nested components, zones and files.

import { attributeTypes } from '../attribute-types/attribute-types.ts'
import type { DiagnosticPath } from '../errors/diagnostic.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { isRecord } from '../util/is-record.ts'
import type { Attribute, DynamicZoneAttribute, MediaAttribute } from './attribute.ts'
import { checkDataRelation } from './check-data-relation.ts'
import { showValue, suggestion } from './checking.ts'
import type { DataChecking } from './data-index.ts'
import { nearUid } from './find-target.ts'
import type { ComponentSource, TypeSource } from './type-source.ts'

/** The holder that an object under `data` belongs to. */
export interface DataHolder {
  readonly source: TypeSource | ComponentSource
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Allowed keys that are no attributes. */
  readonly extra: ReadonlySet<string>
}

/** Checks an entry, a component or the description of a file: its keys exist, and values are of the right kind. */
export function checkObject(
  value: Readonly<Record<string, unknown>>,
  path: DiagnosticPath,
  { source, attributes, extra }: DataHolder,
  checking: DataChecking,
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
    // Missing when the attribute itself has a fault, which was reported already.
    const attribute = attributes.get(key)
    if (attribute !== undefined && item !== null) checkValue(attribute, item, [...path, key], checking)
  }
}

function checkMoment(key: string, value: unknown, path: DiagnosticPath, { fault }: DataChecking): void {
  const wanted = value === null ? undefined : attributeTypes.datetime.wanted(value)
  if (wanted !== undefined) fault('MOD087', path, `"${key}" must be ${wanted}, not ${showValue(value)}`)
}

function checkValue(
  attribute: Attribute,
  value: unknown,
  path: DiagnosticPath,
  checking: DataChecking,
): void {
  switch (attribute.kind) {
    case 'scalar': {
      const wanted = attributeTypes[attribute.type].wanted(value)
      if (wanted !== undefined) wrongKind(attribute, wanted, value, path, checking)
      else if (attribute.enum !== undefined && !attribute.enum.includes(String(value))) {
        const shown = attribute.private ? 'given' : showValue(value)
        checking.fault('MOD087', path, `"${attribute.name}" does not take the value ${shown}`, {
          help: suggestion(didYouMean(String(value), attribute.enum), attribute.enum),
        })
      }
      return
    }
    case 'relation':
      checkDataRelation(attribute, value, path, checking)
      return
    case 'media':
      checkMedia(attribute, value, path, checking)
      return
    case 'component':
      forEach(attribute.repeatable, attribute, value, path, checking, (item, itemPath) => {
        checkComponent(attribute.component.uid, item, itemPath, componentKeys, checking)
      })
      return
    case 'dynamiczone':
      forEach(true, attribute, value, path, checking, (item, itemPath) => {
        checkZoneItem(attribute, item, itemPath, checking)
      })
  }
}

const componentKeys: ReadonlySet<string> = new Set(['id'])
const zoneKeys: ReadonlySet<string> = new Set(['__component', 'id'])

function checkZoneItem(
  { name, components }: DynamicZoneAttribute,
  item: Readonly<Record<string, unknown>>,
  path: DiagnosticPath,
  checking: DataChecking,
): void {
  const uid = item['__component']
  const known = components.map((component) => component.uid)
  if (typeof uid !== 'string') {
    checking.fault('MOD088', path, 'an entry of a dynamic zone names its component in "__component"', {
      help: suggestion(undefined, known),
    })
  } else if (!known.includes(uid)) {
    checking.fault('MOD088', [...path, '__component'], `"${name}" does not take "${uid}"`, {
      help: suggestion(nearUid(uid, known), known),
    })
  } else checkComponent(uid, item, path, zoneKeys, checking)
}

function checkComponent(
  uid: string,
  value: Readonly<Record<string, unknown>>,
  path: DiagnosticPath,
  extra: ReadonlySet<string>,
  checking: DataChecking,
): void {
  const holder = checking.holders.components.get(uid)
  if (holder === undefined) return
  checkObject(value, path, { source: holder.source, attributes: holder.attributes, extra }, checking)
}

/** Accepts an object or a list of objects. */
function forEach(
  repeatable: boolean,
  attribute: Attribute,
  value: unknown,
  path: DiagnosticPath,
  checking: DataChecking,
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

/** Accepts ids of stored files, or files to load: `{ file: ./a.png, caption: … }`. */
function checkMedia(
  attribute: MediaAttribute,
  value: unknown,
  path: DiagnosticPath,
  checking: DataChecking,
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
      checkObject(item, itemPath, { source, attributes, extra: new Set(['file']) }, checking)
    } else checkDataRelation(attribute, item, itemPath, checking)
  }
}

/** Does not show private values. */
function wrongKind(
  { name, private: isPrivate }: Attribute,
  wanted: string,
  value: unknown,
  path: DiagnosticPath,
  { fault }: DataChecking,
): void {
  fault('MOD087', path, `"${name}" must be ${wanted}${isPrivate ? '' : `, not ${showValue(value)}`}`)
}
