// Encodes a stored value of an attribute as JSON, exactly as the GraphQL type of its field serializes it.

import {
  GraphQLEnumType,
  type GraphQLField,
  GraphQLID,
  type GraphQLLeafType,
  getNamedType,
  isLeafType,
  isUnionType,
} from 'graphql'
import type { GraphqlLeaf, StoredValue } from '../../../attribute-types/attribute-type.ts'
import { tableOf } from '../../../attribute-types/attribute-types.ts'
import { decodeValue } from '../../../content/rows/to-object.ts'
import type { ScalarAttribute } from '../../../model/attribute.ts'
import { formatDateTime } from '../../../util/format-date-time.ts'
import { jsonText } from '../../../util/json-text.ts'
import { Unencodable } from '../fields/encode-field.ts'
import { factsOf, isSafeUnion } from '../fields/field-facts.ts'
import { hasEnum, scalarOfType } from '../fields/scalar-types.ts'

/** Throws Unencodable for a value that the type cannot represent. */
export type EncodeLeaf = (value: StoredValue) => string

/** Returns undefined where the value needs a check: then the type serializes it. */
type EncodeAtOnce = (value: StoredValue) => string | undefined

const text: EncodeAtOnce = (value) => (typeof value === 'string' ? jsonText(value) : undefined)
const moment: EncodeAtOnce = (value) => `"${formatDateTime(Number(value))}"`
const float: EncodeAtOnce = (value) => (Number.isFinite(value) ? String(value) : undefined)
/** Stored as the JSON text itself, so the text is the answer. */
const json: EncodeAtOnce = (value) => (typeof value === 'string' && value !== 'null' ? value : undefined)
const integer: EncodeAtOnce = (value) => {
  const whole = Number(value) | 0
  return whole === value ? String(whole) : undefined
}
const asked: EncodeAtOnce = () => undefined

const encoders = {
  String: text,
  Int: integer,
  Float: float,
  Boolean: (value) => (value === 1 ? 'true' : 'false'),
  Long: asked,
  Date: text,
  Time: text,
  DateTime: moment,
  JSON: json,
  enum: asked,
} as const satisfies Record<GraphqlLeaf, EncodeAtOnce>

const encoderOfType = tableOf(({ graphql, secret }): EncodeAtOnce => (secret ? asked : encoders[graphql]))

/** `serialize` of each scalar as generated here. */
const serializers = new Map<string, unknown>(
  Object.values(scalarOfType).map(({ name, serialize }) => [name, serialize]),
)

/** Whether the type serializes as generated here: users' code may replace a scalar's `serialize`. */
function isOwnLeaf(attribute: ScalarAttribute, type: GraphQLLeafType): boolean {
  if (hasEnum(attribute) && type instanceof GraphQLEnumType) {
    return type.serialize === GraphQLEnumType.prototype.serialize
  }
  // A documentId is text that the schema calls an ID.
  if (type === GraphQLID) return attribute.type === 'string'
  return type.name === scalarOfType[attribute.type].name && type.serialize === serializers.get(type.name)
}

export function createLeafEncoder(attribute: ScalarAttribute, type: GraphQLLeafType): EncodeLeaf {
  const atOnce = encoderOfType[attribute.type]
  const ask = (value: StoredValue): string => {
    try {
      const serialized = type.serialize(decodeValue(attribute, value)) ?? undefined
      if (serialized !== undefined) return JSON.stringify(serialized)
    } catch {
      // The engines will serialize the value again and report the error.
    }
    throw new Unencodable(`a stored ${attribute.type} is no ${type.name}`)
  }
  if (!(type instanceof GraphQLEnumType)) return (value) => atOnce(value) ?? ask(value)
  const names = new Map(
    type.getValues().map((each) => [each.value as StoredValue, JSON.stringify(each.name)]),
  )
  return (value) => names.get(value) ?? ask(value)
}

/** Whether the field can be written from rows: its type serializes as generated here. */
export function isEncodable(field: GraphQLField<unknown, unknown>): boolean {
  const { attribute, shows, custom } = factsOf(field)
  if (custom === true) return false
  if (attribute === undefined) return shows !== undefined
  const type = getNamedType(field.type)
  if (attribute.kind === 'scalar') return isLeafType(type) && isOwnLeaf(attribute, type)
  return !isUnionType(type) || isSafeUnion(type)
}
