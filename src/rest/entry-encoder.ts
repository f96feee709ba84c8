// Encodes entries as JSON text; each plan has one encoder, created with the plan.

import type { AttributeType } from '../attribute-types/attribute-type.ts'
import { buildTable } from '../attribute-types/attribute-types.ts'
import { toJsonText } from '../lib/json-text.ts'
import type { ScalarAttribute, Schema } from '../model/attribute.ts'
import { isContentType } from '../plan/find-attribute.ts'
import type { JsonPaths, ReadPlan } from '../plan/read-plan.ts'
import { type EntryRow, getId } from '../query/rows/entry.ts'
import { foldPopulated, type PlanFold } from '../query/rows/fold-populated.ts'
import { createJsonPick } from '../query/rows/pick-json.ts'
import { decodeValue, HIGHLIGHT } from '../query/rows/to-object.ts'
import type { ResponseShape } from './response-shape.ts'

type EncodeValue = AttributeType['toJson']

const encoders = buildTable(({ toJson }) => toJson)

interface Column {
  readonly key: string
  readonly encode: EncodeValue
}

export type EncodeEntry = (entry: EntryRow) => string

const ofPlans = new WeakMap<ReadPlan, Map<ResponseShape, EncodeEntry>>()

export function getEncoder(plan: ReadPlan, shape: ResponseShape): EncodeEntry {
  let ofShapes = ofPlans.get(plan)
  if (ofShapes === undefined) {
    ofShapes = new Map()
    ofPlans.set(plan, ofShapes)
  }
  let encode = ofShapes.get(shape)
  if (encode === undefined) {
    encode = createEntryEncoder(plan, shape)
    ofShapes.set(shape, encode)
  }
  return encode
}

export function createEntryEncoder(plan: ReadPlan, shape: ResponseShape): EncodeEntry {
  const ids = createIdsEncoder(plan)
  const attributes = createAttributesEncoder(plan, getFold(shape))
  const locales = createLocalesEncoder(plan)
  return encodeOnce((entry) => shape.subject(ids(entry), attributes(entry), locales(entry)))
}

/** The `documentId` is the first column of a document. */
function createIdsEncoder({ schema, columns }: ReadPlan): EncodeEntry {
  if (!isDocument(schema, columns)) return (entry) => `"id":${getId(entry)}`
  return (entry) => `"id":${getId(entry)},"documentId":${toJsonText(String(entry.row[entry.at + 1]))}`
}

function isDocument(schema: Schema, columns: ReadPlan['columns']): boolean {
  const documentId = isContentType(schema) ? schema.document?.documentId : undefined
  return documentId !== undefined && columns[0] === documentId
}

/** If the YAML file lists locales, only those, in that order. */
function createLocalesEncoder({ columns, populate, locales }: ReadPlan): EncodeEntry {
  if (locales === undefined) return () => ''
  const listed = locales.own.enum
  return (entry) => {
    const own = entry.row[entry.at + 1 + columns.length]
    const variants = (entry.populated[populate.length] ?? []) as readonly EntryRow[]
    const codes = [own, ...variants.map(({ row, at }) => row[at + 1])].map(String)
    const shown = listed === undefined ? codes : listed.filter((code) => codes.includes(code))
    return shown.map((code) => JSON.stringify(code)).join(',')
  }
}

function createAttributesEncoder(plan: ReadPlan, fold: TextFold): EncodeEntry {
  const first = isDocument(plan.schema, plan.columns) ? 1 : 0
  const columns = plan.columns.slice(first).map((column, index) => toColumn(plan, column, index))
  const populated = plan.populate.map((populate) => ({
    key: `${JSON.stringify(populate.attribute.name)}:`,
    encode: foldPopulated(populate, fold),
  }))
  return (entry) => {
    let written = ''
    const { row } = entry
    let at = entry.at + 1 + first
    for (const column of columns) {
      const value = row[at++]
      written +=
        value === null || value === undefined ? `${column.key}null` : column.key + column.encode(value)
    }
    for (let index = 0; index < populated.length; index++) {
      const field = populated[index]
      const value = field?.encode(entry.populated[index] ?? null)
      if (field === undefined || value === undefined) continue
      written += written === '' ? field.key + value : `,${field.key}${value}`
    }
    if (entry.highlights !== undefined)
      written += `${written === '' ? '' : ','}"${HIGHLIGHT}":${JSON.stringify(entry.highlights)}`
    return written
  }
}

function toColumn(plan: ReadPlan, attribute: ScalarAttribute, index: number): Column {
  const comma = index > 0 ? ',' : ''
  const paths = plan.jsonPaths?.get(attribute)
  return {
    key: `${comma}${JSON.stringify(attribute.name)}:`,
    encode: paths === undefined ? encoders[attribute.type] : encodePaths(attribute, paths),
  }
}

function encodePaths(attribute: ScalarAttribute, paths: JsonPaths): EncodeValue {
  const pick = createJsonPick(paths)
  return (value) => JSON.stringify(pick(decodeValue(attribute, value)))
}

type TextFold = PlanFold<string, string | undefined>

function getFold(shape: ResponseShape): TextFold {
  const fold: TextFold = {
    entry(plan, role) {
      const ids = createIdsEncoder(plan)
      const attributes = createAttributesEncoder(plan, fold)
      const within = shape.entry(role)
      return encodeOnce((entry) => within(ids(entry), attributes(entry)))
    },
    member(populate) {
      const whole = populate.kind === 'relation' ? shape.relation : (value: string) => value
      const none = shape.none(populate)
      return {
        one: (value) => whole(value ?? none ?? 'null'),
        many: (rows, make) =>
          rows.length > 0
            ? whole(`[${encodeAll(rows, make)}]`)
            : none === undefined
              ? undefined
              : whole(none),
        count: shape.count,
      }
    },
  }
  return fold
}

/** Concatenates instead of using `join`, which would copy the text of each entry. */
function encodeAll<T>(values: readonly T[], encode: (value: T) => string): string {
  let written = ''
  for (const value of values) written += written === '' ? encode(value) : `,${encode(value)}`
  return written
}

/**
 * Encodes each entry once, however often it is shown. Texts are joined with `+=`, because V8 then shares
 * their memory until they are sent.
 */
function encodeOnce(encode: EncodeEntry): EncodeEntry {
  return (entry) => {
    if (entry.shown === 1) return encode(entry)
    for (let each = entry.written; each !== undefined; each = each.next)
      if (each.encode === encode) return each.text
    const text = encode(entry)
    entry.written = { encode, text, next: entry.written }
    return text
  }
}
