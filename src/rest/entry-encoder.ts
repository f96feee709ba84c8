// Entries -> JSON text in Strapi's envelope. One encoder a plan, made when the plan
// is: keys are written once, values go from the database's row into the text.

import { encodeOnce } from '../content/encode-once.ts'
import type { EntryRow, MemberValue, MixedRow } from '../content/entry.ts'
import { idOf } from '../content/entry.ts'
import type { ScalarAttribute, ScalarType } from '../model/attribute.ts'
import type { PopulatePlan, ReadPlan } from '../plan/read-plan.ts'
import type { SqlValue } from '../sql/statement.ts'
import { formatDateTime } from '../util/format-date-time.ts'
import { jsonText } from '../util/json-text.ts'

type EncodeValue = (value: SqlValue) => string

const text: EncodeValue = (value) => (typeof value === 'string' ? jsonText(value) : JSON.stringify(value))
const plain: EncodeValue = (value) => String(value)
const quoted: EncodeValue = (value) => `"${value}"`
const moment: EncodeValue = (value) => `"${formatDateTime(Number(value))}"`

/** How a stored value is written; one answer for every type. A password has none: it never gets here. */
const encoders = {
  string: text,
  text,
  richtext: text,
  blocks: plain,
  email: text,
  password: () => 'null',
  uid: text,
  integer: plain,
  biginteger: quoted,
  float: plain,
  decimal: plain,
  boolean: (value) => (value === 1 ? 'true' : 'false'),
  date: quoted,
  time: quoted,
  datetime: moment,
  timestamp: moment,
  json: plain,
  enumeration: text,
} as const satisfies Record<ScalarType, EncodeValue>

interface Column {
  /** `"title":`, with the comma that separates it from the column before. */
  readonly key: string
  readonly encode: EncodeValue
}

export type EncodeEntry = (entry: EntryRow) => string

/** `{"id":1,"attributes":{…},"meta":{"availableLocales":[]}}`: an entry as the answer's own subject. */
export function createEntryEncoder(plan: ReadPlan): EncodeEntry {
  const attributes = createAttributesEncoder(plan)
  const locales = createLocalesEncoder(plan)
  return encodeOnce(
    (entry) =>
      `{"id":${idOf(entry)},"attributes":{${attributes(entry)}},"meta":{"availableLocales":[${locales(entry)}]}}`,
  )
}

/** The entry's own locale and those of its localizations, as far and in the order in which the file lists locales. */
function createLocalesEncoder({ columns, populate, locales }: ReadPlan): EncodeEntry {
  if (locales === undefined) return () => ''
  const listed = locales.own.enum
  return (entry) => {
    const own = entry.row[entry.at + 1 + columns.length]
    const siblings = (entry.members[populate.length] ?? []) as readonly EntryRow[]
    const codes = [own, ...siblings.map(({ row, at }) => row[at + 1])].map(String)
    const shown = listed === undefined ? codes : listed.filter((code) => codes.includes(code))
    return shown.map((code) => JSON.stringify(code)).join(',')
  }
}

/** The same within another entry, without `meta`. */
function createRelatedEncoder(plan: ReadPlan): EncodeEntry {
  const attributes = createAttributesEncoder(plan)
  return encodeOnce((entry) => `{"id":${idOf(entry)},"attributes":{${attributes(entry)}}}`)
}

/** A component is flat: `{"id":1,"metaTitle":…}`, in a zone with its name. */
function createComponentEncoder(plan: ReadPlan, uid: string | undefined): EncodeEntry {
  const attributes = createAttributesEncoder(plan)
  const name = uid === undefined ? '' : `,"__component":${JSON.stringify(uid)}`
  return encodeOnce((entry) => {
    const written = attributes(entry)
    return `{"id":${idOf(entry)}${name}${written === '' ? '' : `,${written}`}}`
  })
}

/** What a polymorphic relation points at is flat: `{"__type":"api::article.article","id":1,"title":…}`. */
function createMorphEncoder(plan: ReadPlan, uid: string): EncodeEntry {
  const attributes = createAttributesEncoder(plan)
  const type = JSON.stringify(uid)
  return encodeOnce((entry) => {
    const written = attributes(entry)
    return `{"__type":${type},"id":${idOf(entry)}${written === '' ? '' : `,${written}`}}`
  })
}

/** What stands between the braces of `attributes`. */
function createAttributesEncoder(plan: ReadPlan): EncodeEntry {
  const columns = plan.columns.map(toColumn)
  const members = plan.populate.map((populate) => ({
    key: `${JSON.stringify(populate.attribute.name)}:`,
    encode: createMemberEncoder(populate),
  }))
  return (entry) => {
    let written = ''
    const { row } = entry
    let at = entry.at + 1
    for (const column of columns) {
      const value = row[at++]
      written +=
        value === null || value === undefined ? `${column.key}null` : column.key + column.encode(value)
    }
    for (let index = 0; index < members.length; index++) {
      const member = members[index]
      const value = member?.encode(entry.members[index] ?? null)
      if (member === undefined || value === undefined) continue
      written += written === '' ? member.key + value : `,${member.key}${value}`
    }
    return written
  }
}

function toColumn(attribute: ScalarAttribute, index: number): Column {
  const comma = index > 0 ? ',' : ''
  return { key: `${comma}${JSON.stringify(attribute.name)}:`, encode: encoders[attribute.type] }
}

/** Undefined: the key is left out. */
function createMemberEncoder(populate: PopulatePlan): (value: MemberValue) => string | undefined {
  switch (populate.kind) {
    case 'relation': {
      if (populate.count) {
        return (value) => `{"data":{"attributes":{"count":${Array.isArray(value) ? value.length : 0}}}}`
      }
      const encode = createRelatedEncoder(populate.plan)
      // Media and morphMany answer null when there are none, as recorded.
      const { kind } = populate.attribute
      const isMorph = kind === 'relation' && populate.attribute.relation === 'morphMany'
      const none = kind === 'media' || isMorph || !populate.many ? 'null' : '[]'
      return (value) => `{"data":${encodeMany(value, encode, none)}}`
    }
    case 'component': {
      const encode = createComponentEncoder(populate.plan, undefined)
      return (value) => encodeMany(value, encode, populate.many ? '[]' : 'null')
    }
    case 'zone': {
      const encode = populate.plans.map(({ component, plan }) => createComponentEncoder(plan, component.uid))
      return (value) => {
        const rows = value as readonly MixedRow[]
        return `[${encodeAll(rows, (row) => encode[row.level]?.(row.entry) ?? 'null')}]`
      }
    }
    case 'morph': {
      const encode = populate.plans.map(({ type, plan }) => createMorphEncoder(plan, type.uid))
      return (value) => {
        const rows = value as readonly MixedRow[]
        const written = encodeAll(rows, (row) => encode[row.level]?.(row.entry) ?? 'null')
        if (!populate.many) return written === '' ? 'null' : written
        // Without entries there is no key, as recorded.
        return written === '' ? undefined : `[${written}]`
      }
    }
  }
}

function encodeMany(value: MemberValue, encode: EncodeEntry, none: string): string {
  if (value === null) return none
  if (!Array.isArray(value)) return encode(value as EntryRow)
  const rows = value as readonly EntryRow[]
  return rows.length === 0 ? none : `[${encodeAll(rows, encode)}]`
}

/** Not `join`, which would copy the text of an entry wherever it stands. */
function encodeAll<T>(values: readonly T[], encode: (value: T) => string): string {
  let written = ''
  for (const value of values) written += written === '' ? encode(value) : `,${encode(value)}`
  return written
}
