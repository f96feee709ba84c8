// Compiles changes of stored values into expressions of an UPDATE. A value that cannot be changed becomes null, which the write
// refuses.

import { type RawBuilder, sql } from 'kysely'
import type { ValueChange } from '../../plan/write/write-plan.ts'
import type { Dialect } from './dialect.ts'
import type { ColumnType } from './layout.ts'
import type { SqlValue } from './statement.ts'

type Sql = RawBuilder<unknown>
type Operator = ValueChange['operator']

/** Beyond it a number is not changed, so that no database overflows. */
const MAX_NUMBER = { integer: Number.MAX_SAFE_INTEGER, other: 1e100 }

export function compileChange(dialect: Dialect, type: ColumnType, column: Sql, operator: Operator): Sql {
  if (operator === '$push' || operator === '$pull') return changeList(dialect, column, operator)
  const operand = (): Sql => dialect.bind(type, sql`${null}`)
  const stored = sql`coalesce(${column}, 0)`
  const sign = operator === '$inc' ? sql`+` : sql`*`
  const changed = sql`${stored} ${sign} ${operand()}`
  if (type !== 'integer')
    return sql`case when abs(${stored}) <= ${sql.lit(MAX_NUMBER.other)} then ${changed} end`
  const result = sql`${dialect.double(stored)} ${sign} ${dialect.double(operand())}`
  return sql`case when abs(${result}) <= ${sql.lit(MAX_NUMBER.integer)} then ${changed} end`
}

/** The text of the list is changed, so that its elements stay as they were written. */
function changeList(dialect: Dialect, column: Sql, operator: '$push' | '$pull'): Sql {
  const element = dialect.bind('text', sql`${null}`)
  const isList = sql`substr(${column}, 1, 1) = '['`
  if (operator === '$pull')
    return sql`case when ${column} is null then '[]' when ${isList} then ${dialect.withoutElement(column, element)} end`
  const others = sql`substr(${column}, 1, ${dialect.size(column)} - 1)`
  return sql`case when ${column} is null then '[' || ${element} || ']' when ${column} = '[]' then '[' || ${element} || ']' when ${isList} then ${others} || ',' || ${element} || ']' end`
}

/** In the order of the placeholders. */
export function encodeChange(
  dialect: Dialect,
  type: ColumnType,
  { operator, operand }: ValueChange,
): readonly SqlValue[] {
  const [kind, times] =
    COUNTS[
      operator === '$inc' || operator === '$mul' ? (type === 'integer' ? 'integer' : 'number') : operator
    ]
  return Array<SqlValue>(times).fill(dialect.encode(kind ?? type, operand))
}

/** How often the operand stands in the expression. */
const COUNTS = {
  integer: [undefined, 2],
  number: [undefined, 1],
  $push: ['text', 3],
  $pull: ['text', 1],
} as const
