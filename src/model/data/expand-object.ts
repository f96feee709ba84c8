// Expands an entry, component or file under `data`, and checks keys and kinds of values.

import type { AttributeType, ValueColumn } from '../../attribute-types/attribute-type.ts'
import { attributeTypes } from '../../attribute-types/attribute-types.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { isRecord } from '../../lib/is-record.ts'
import { toKebabCase } from '../../lib/kebab-case.ts'
import { parseRelativeMoment, parseTimeOfDay } from '../../lib/relative-moment.ts'
import type {
  Attribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  ScalarAttribute,
} from '../attribute.ts'
import { formatSuggestion, showValue } from '../checking.ts'
import type { Component, Schema } from '../content-type.ts'
import { suggestUid } from '../find-target.ts'
import { expandOne, expandRelation } from './expand-relation.ts'
import { below, getWrittenPlace, type Place } from './expansion.ts'

type ObjectInput = Readonly<Record<string, unknown>>
type Store = (value: unknown) => void

/** `extra`: further allowed keys. `into` receives the values. */
function expandObject(
  schema: Schema,
  value: ObjectInput,
  place: Place,
  extra: ReadonlySet<string>,
  into: Record<string, unknown>,
): Record<string, unknown> {
  for (const [key, item] of Object.entries(value))
    expandKey(schema, key, item, below(place, key), extra, into)
  return into
}

export function expandKey(
  schema: Schema,
  key: string,
  item: unknown,
  place: Place,
  extra: ReadonlySet<string>,
  into: Record<string, unknown>,
): void {
  if (extra.has(key)) {
    into[key] = key.endsWith('At') ? expandMoment(key, item, place) : item
    return
  }
  const { expansion } = place
  const names = expansion.getNames(schema)
  if (!names.includes(key)) {
    expansion.fault('MOD081', place.path, `${schema.uid} has no attribute "${key}"`, {
      at: 'key',
      help: formatSuggestion(didYouMean(key, [...names, ...extra]), names),
    })
    return
  }
  // Missing when the attribute's own fault was reported.
  const attribute = schema.attributes.get(key)
  if (attribute === undefined) return
  into[key] =
    item === null
      ? null
      : expandValue(attribute, item, place, (id) => {
          into[key] = id
        })
}

function expandMoment(key: string, value: unknown, { path, expansion }: Place): unknown {
  const moment = absolute('datetime', value, expansion.now)
  const wanted = moment === null ? undefined : attributeTypes.datetime.wanted(moment)
  if (wanted !== undefined) {
    expansion.fault('MOD087', path, `"${key}" must be ${wanted}, not ${showValue(value)}`, {
      help: relativeForms.datetime,
    })
  }
  return moment
}

function expandValue(attribute: Attribute, value: unknown, place: Place, set: Store): unknown {
  switch (attribute.kind) {
    case 'scalar':
      return expandScalar(attribute, value, place)
    case 'relation':
      return expandRelation(attribute, value, place, set)
    case 'media':
      return expandMedia(attribute, value, place, set)
    case 'component':
      if (!attribute.repeatable) return expandMember(attribute, value, place, 'an object')
      return expandList(attribute, value, place, (item, at) => expandMember(attribute, item, at, LIST))
    case 'dynamiczone':
      return expandList(attribute, value, place, (item, at) => expandZoneMember(attribute, item, at))
  }
}

const fileKeys: ReadonlySet<string> = new Set(['file'])
const LIST = 'a list of objects'

function expandScalar(attribute: ScalarAttribute, value: unknown, place: Place): unknown {
  const { fault, now } = place.expansion
  if (attribute.computed !== undefined) {
    fault('MOD087', place.path, `"${attribute.name}" is computed from other values`, {
      at: 'key',
      help: 'take it out',
    })
    return value
  }
  const type = attributeTypes[attribute.type]
  const given = numberFrom(type, absolute(type.column, value, now))
  const wanted = type.wanted(given)
  if (wanted !== undefined) wrongKind(attribute, wanted, value, place, helpFor(attribute, value, place))
  else if (attribute.enum !== undefined && !attribute.enum.includes(String(given))) {
    const shown = attribute.private ? 'given' : showValue(value)
    fault('MOD087', place.path, `"${attribute.name}" does not take the value ${shown}`, {
      help: formatSuggestion(didYouMean(String(value), attribute.enum), attribute.enum),
    })
  }
  return given
}

/** Amounts are often quoted (`'49.00'`). */
function numberFrom({ yupType }: AttributeType, value: unknown): unknown {
  if (yupType !== 'number' || typeof value !== 'string' || value.trim() === '') return value
  const number = Number(value)
  return Number.isFinite(number) ? number : value
}

function helpFor(attribute: ScalarAttribute, value: unknown, { draft }: Place): string | undefined {
  const { column, yupType } = attributeTypes[attribute.type]
  if (typeof value === 'string') return relativeForms[column]
  if (!isRecord(value)) return undefined
  const codes = draft.type.locale?.enum ?? []
  const entries = Object.entries(value)
  if (entries.some(([key]) => codes.includes(key))) return 'only a localized attribute takes values by locale'
  const [[key, rest] = ['', undefined], ...others] = entries
  if (yupType !== 'string' || others.length > 0 || isRecord(rest) || attribute.private) return undefined
  // YAML reads `Five past: by my watch` as a map.
  return `a text that contains ": " needs quotes: '${`${key}: ${rest ?? ''}`.trim().replaceAll("'", "''")}'`
}

function expandList(
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: unknown,
  place: Place,
  expand: (item: unknown, place: Place) => unknown,
): unknown {
  if (!Array.isArray(value)) {
    wrongKind(attribute, LIST, value, place)
    return value
  }
  return value.map((item, index) => expand(item, below(place, index)))
}

const componentKeys: ReadonlySet<string> = new Set(['id'])
const zoneKeys: ReadonlySet<string> = new Set(['__component', 'id'])

function expandMember(attribute: ComponentAttribute, value: unknown, place: Place, wanted: string): unknown {
  if (isRecord(value)) return expandObject(attribute.component, value, place, componentKeys, {})
  wrongKind(attribute, wanted, value, place)
  return value
}

/** `{ __component: page.hero, … }`, or `hero: { … }` for short. */
function expandZoneMember(attribute: DynamicZoneAttribute, value: unknown, place: Place): unknown {
  const { fault } = place.expansion
  if (!isRecord(value)) {
    wrongKind(attribute, LIST, value, place)
    return value
  }
  const known = attribute.components.map(({ uid }) => uid)
  const uid = value['__component']
  if (typeof uid === 'string') {
    const component = called(uid, attribute)
    if (component === undefined) {
      fault('MOD088', [...place.path, '__component'], `"${attribute.name}" does not take "${uid}"`, {
        help: formatSuggestion(suggestUid(uid, known), known),
      })
      return value
    }
    return expandObject(component, { ...value, __component: component.uid }, place, zoneKeys, {})
  }
  const [key = '', ...others] = Object.keys(value)
  const inner = value[key]
  const component = others.length === 0 && uid === undefined ? called(key, attribute) : undefined
  if (component !== undefined && (isRecord(inner) || inner === null)) {
    const named = { __component: component.uid }
    return expandObject(component, inner ?? {}, getWrittenPlace(place, key), componentKeys, named)
  }
  const near = others.length === 0 ? suggestUid(key, known) : undefined
  fault('MOD088', place.path, 'an entry of a dynamic zone names its component', {
    help: near === undefined ? getExample(known) : `did you mean "${near}"?`,
  })
  return value
}

function getExample(known: readonly string[]): string {
  const [first = 'page.quote'] = known
  const short = first.slice(first.indexOf('.') + 1)
  const list = formatSuggestion(undefined, known)
  return `write "- ${short}: { … }" or "__component: ${first}"${known.length > 1 ? `; ${list}` : ''}`
}

/** A name alone (`rich-text`, `richText`) must be unique in the zone. */
function called(written: string, { components }: DynamicZoneAttribute): Component | undefined {
  const exact = components.find(({ uid }) => uid === written)
  if (exact !== undefined) return exact
  const name = toKebabCase(written)
  const named = components.filter((component) => component.name === name)
  return named.length === 1 ? named[0] : undefined
}

/** Ids of stored files, or files to load: `./a.png`, `{ file: ./a.png, caption: … }`. */
function expandMedia(attribute: MediaAttribute, value: unknown, place: Place, set: Store): unknown {
  if (!attribute.multiple && Array.isArray(value) && value.length > 1) {
    wrongKind(attribute, 'one file', value, place)
    return value
  }
  const expandFile = (item: unknown, at: Place, store: Store): unknown => {
    if (typeof item === 'string' && /^\.{0,2}\//.test(item)) return { file: item }
    if (isRecord(item) && 'file' in item) return expandObject(attribute.target, item, at, fileKeys, {})
    expandOne({ ...attribute, cardinality: 'one' }, item, at, store)
    return item
  }
  if (!Array.isArray(value)) return expandFile(value, place, set)
  const list: unknown[] = []
  for (const [index, item] of value.entries()) {
    list.push(
      expandFile(item, below(place, index), (id) => {
        list[index] = id
      }),
    )
  }
  return list
}

/** Must not show private values. */
function wrongKind(
  { name, private: isPrivate }: Attribute,
  wanted: string,
  value: unknown,
  { path, expansion }: Place,
  help?: string,
): void {
  const message = `"${name}" must be ${wanted}${isPrivate ? '' : `, not ${showValue(value)}`}`
  expansion.fault('MOD087', path, message, { help })
}

const forms: Partial<Readonly<Record<ValueColumn, (text: string, now: number) => string | undefined>>> = {
  datetime: (text, now) => getIso(parseRelativeMoment(text, now)),
  date: (text, now) => getIso(parseRelativeMoment(text, now))?.slice(0, 10),
  time: (text, now) => getIso(parseTimeOfDay(text) ?? parseRelativeMoment(text, now))?.slice(11, -1),
}

const relativeForms: Partial<Readonly<Record<ValueColumn, string>>> = {
  datetime: 'or a moment relative to the start: "now-2h", "today+7d 20:00"',
  date: 'or a day relative to the start: "today", "today+7d"',
  time: 'or without seconds: "18:30"',
}

/** `now`: epoch milliseconds. */
function absolute(column: ValueColumn, value: unknown, now: number): unknown {
  return typeof value === 'string' ? (forms[column]?.(value, now) ?? value) : value
}

function getIso(moment: number | undefined): string | undefined {
  if (moment === undefined) return undefined
  const text = new Date(moment).toISOString()
  // Years beyond 9999 have a sign, which attributes refuse.
  return text.length === 24 ? text : undefined
}
