// Encodes entries as JSON text. Each plan has one encoder, created with the plan: keys are encoded once, and values are
// written from the database's row directly into the text.

import type { AttributeType } from '../attribute-types/attribute-type.ts'
import { tableOf } from '../attribute-types/attribute-types.ts'
import { encodeOnce } from '../content/encode-once.ts'
import { type EntryRow, idOf } from '../content/entry.ts'
import { foldMember, type PlanFold } from '../content/fold-member.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { PopulatePlan, ReadPlan } from '../plan/read-plan.ts'
import { strapi4Shape as shape } from './answer-shape.ts'

type EncodeValue = AttributeType['toJson']

const encoders = tableOf(({ toJson }) => toJson)

interface Column {
  /** `"title":`, with the comma that separates it from the column before. */
  readonly key: string
  readonly encode: EncodeValue
}

export type EncodeEntry = (entry: EntryRow) => string

/** An encoder for the entry that is the subject of the answer. */
export function createEntryEncoder(plan: ReadPlan): EncodeEntry {
  const attributes = createAttributesEncoder(plan)
  const locales = createLocalesEncoder(plan)
  return encodeOnce((entry) => shape.subject(idOf(entry), attributes(entry), locales(entry)))
}

/** The locales of the entry and its localizations; if the file lists locales, only those, in that order. */
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

/** Encodes the content of the object `attributes`, without braces. */
function createAttributesEncoder(plan: ReadPlan): EncodeEntry {
  const columns = plan.columns.map(toColumn)
  const members = plan.populate.map((populate) => ({
    key: `${JSON.stringify(populate.attribute.name)}:`,
    encode: foldMember(populate, fold),
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

/** Members whose encoder returns undefined are left out. */
const fold: PlanFold<string, string | undefined> = {
  entry(plan, role) {
    const attributes = createAttributesEncoder(plan)
    const within = shape.entry(role)
    return encodeOnce((entry) => within(idOf(entry), attributes(entry)))
  },
  member(populate) {
    const whole = populate.kind === 'relation' ? shape.relation : (value: string) => value
    const none = noneOf(populate)
    return {
      one: (value) => whole(value ?? none ?? 'null'),
      many: (rows, make) =>
        rows.length > 0 ? whole(`[${encodeAll(rows, make)}]`) : none === undefined ? undefined : whole(none),
      count: shape.count,
    }
  },
}

/**
 * The value without entries, as recorded of Strapi 4: null for media and morphMany; undefined for a list of polymorphic
 * targets, whose key is left out.
 */
function noneOf(populate: PopulatePlan): string | undefined {
  const { kind, attribute } = populate
  if (kind === 'zone') return '[]'
  if (kind === 'morph') return populate.many ? undefined : 'null'
  const isMorph = attribute.kind === 'relation' && attribute.relation === 'morphMany'
  return attribute.kind === 'media' || isMorph || !populate.many ? 'null' : '[]'
}

/** Concatenates instead of using `join`, which would copy the text of each entry. */
function encodeAll<T>(values: readonly T[], encode: (value: T) => string): string {
  let written = ''
  for (const value of values) written += written === '' ? encode(value) : `,${encode(value)}`
  return written
}
