// A stored value of an attribute -> JSON, as the type of the field that shows it serializes it.

import { GraphQLEnumType, type GraphQLLeafType } from 'graphql'
import { decodeValue } from '../../../content/to-object.ts'
import type { ScalarAttribute, ScalarType } from '../../../model/attribute.ts'
import type { SqlValue } from '../../../sql/statement.ts'
import { formatDateTime } from '../../../util/format-date-time.ts'
import { jsonText } from '../../../util/json-text.ts'
import { scalarOfType } from '../schema/scalar-types.ts'
import { Unencodable } from './encode-field.ts'

type Stored = Exclude<SqlValue, null>
/** Throws Unencodable for what the type has no place for. */
export type EncodeLeaf = (value: Stored) => string

/** Undefined: not plain to see, so that the type is asked. */
type EncodeAtOnce = (value: Stored) => string | undefined

const text: EncodeAtOnce = (value) => (typeof value === 'string' ? jsonText(value) : undefined)
const moment: EncodeAtOnce = (value) => `"${formatDateTime(Number(value))}"`
const float: EncodeAtOnce = (value) => (Number.isFinite(value) ? String(value) : undefined)
/** It is kept as the text that it was written as. */
const json: EncodeAtOnce = (value) => (typeof value === 'string' && value !== 'null' ? value : undefined)
const integer: EncodeAtOnce = (value) => {
  const whole = Number(value) | 0
  return whole === value ? String(whole) : undefined
}
const asked: EncodeAtOnce = () => undefined

/** One answer for every type. */
const encoders = {
  string: text,
  text,
  richtext: text,
  blocks: json,
  email: text,
  password: asked,
  uid: text,
  integer,
  biginteger: asked,
  float,
  decimal: float,
  boolean: (value) => (value === 1 ? 'true' : 'false'),
  date: text,
  time: text,
  datetime: moment,
  timestamp: moment,
  json,
  enumeration: asked,
} as const satisfies Record<ScalarType, EncodeAtOnce>

/** As the house made them. */
const serializers = new Map<string, unknown>(
  Object.values(scalarOfType).map(({ name, serialize }) => [name, serialize]),
)

/** Whether the type serializes as the house made it: users' code may replace how a scalar does. */
export function isOwnLeaf(attribute: ScalarAttribute, type: GraphQLLeafType): boolean {
  if (attribute.type === 'enumeration' && type instanceof GraphQLEnumType) {
    return type.serialize === GraphQLEnumType.prototype.serialize
  }
  return type.name === scalarOfType[attribute.type].name && type.serialize === serializers.get(type.name)
}

export function createLeafEncoder(attribute: ScalarAttribute, type: GraphQLLeafType): EncodeLeaf {
  const atOnce = encoders[attribute.type]
  const ask = (value: Stored): string => {
    try {
      const serialized = type.serialize(decodeValue(attribute, value)) ?? undefined
      if (serialized !== undefined) return JSON.stringify(serialized)
    } catch {
      // The engines ask the type again, and say what it says.
    }
    throw new Unencodable(`a stored ${attribute.type} is no ${type.name}`)
  }
  if (!(type instanceof GraphQLEnumType)) return (value) => atOnce(value) ?? ask(value)
  const names = new Map(type.getValues().map((each) => [each.value as Stored, JSON.stringify(each.name)]))
  return (value) => names.get(value) ?? ask(value)
}
