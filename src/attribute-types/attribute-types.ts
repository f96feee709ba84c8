// Lists all scalar attribute types, in the order in which lists show them.

import type { AttributeType } from './attribute-type.ts'
import { biginteger } from './biginteger.ts'
import { blocks } from './blocks.ts'
import { boolean } from './boolean.ts'
import { date } from './date.ts'
import { datetime, timestamp } from './datetime.ts'
import { decimal, float } from './decimal.ts'
import { email } from './email.ts'
import { enumeration } from './enumeration.ts'
import { integer } from './integer.ts'
import { json } from './json.ts'
import { password } from './password.ts'
import { richtext, string, text } from './string.ts'
import { time } from './time.ts'
import { uid } from './uid.ts'

export const attributeTypes = {
  string,
  text,
  richtext,
  blocks,
  email,
  password,
  uid,
  integer,
  biginteger,
  float,
  decimal,
  boolean,
  date,
  time,
  datetime,
  timestamp,
  json,
  enumeration,
} satisfies Record<string, AttributeType>

export type ScalarType = keyof typeof attributeTypes

export function isScalarType(name: string): name is ScalarType {
  return Object.hasOwn(attributeTypes, name)
}

export function buildTable<T>(answer: (type: AttributeType) => T): Readonly<Record<ScalarType, T>> {
  const rows = Object.entries(attributeTypes).map(([name, type]): [string, T] => [name, answer(type)])
  return Object.fromEntries(rows) as Record<ScalarType, T>
}
