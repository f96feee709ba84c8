// Parses PostgreSQL's text format. Big integers are selected as text, so a `bigint` here is an id or a count.

import type { SqlValue } from '../../sql/statement.ts'
import { parseDay, parseMoment } from './moment-text.ts'

export type ParseValue = (text: string) => SqlValue

const same: ParseValue = (text) => text

/** By the type's object id, which is the same on every PostgreSQL server. */
const parsers: ReadonlyMap<number, ParseValue> = new Map<number, ParseValue>([
  [16, (text) => (text === 't' ? 1 : 0)],
  [20, Number],
  [21, Number],
  [23, Number],
  [700, Number],
  [701, Number],
  [1700, Number],
  [1082, parseDay],
  [1083, padTime],
  [1184, parseMoment],
])

export function buildParser(typeId: number): ParseValue {
  return parsers.get(typeId) ?? same
}

/** Adds the trailing zeros that PostgreSQL leaves out: `12:30:00.5`. */
function padTime(text: string): string {
  const [clock = '', fraction = ''] = text.split('.')
  return `${clock}.${fraction.padEnd(3, '0')}`
}
