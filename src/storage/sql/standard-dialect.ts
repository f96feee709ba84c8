// The parts of a dialect that several databases have in common.

import { sql } from 'kysely'
import { InvariantError } from '../../lib/errors/invariant.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { Dialect, Fragment, ReorderedRows, UpsertedRow } from './dialect.ts'
import type { SqlValue } from './statement.ts'

/** Of SQLite and PostgreSQL. */
export const standardStatements = {
  returns: true,
  noValues: sql`default values`,
  indexes: undefined,
  foreignKeys: 'column',
  maxInlineDepth: 2,
  nested: (select) => select,
  size: (text) => sql`length(${text})`,
  isDigits: (text) => sql`rtrim(${text}, '0123456789') = ''`,
  encodeOrders: (orders) => `{${Array.from(orders, ([id, place]) => `"${id}":${place}`).join()}}`,
  /** Looks up each row by a subquery, because a join might compare all rows with all. */
  reorder({ table, order, id, condition }: ReorderedRows, orders: Fragment) {
    const own = (name: string) => sql.ref(`each.${name}`)
    const row = sql`select ${own('id')} from ${sql.table(table)} as ${sql.ref('each')} where ${condition(own)} and ${own(id)} = ${sql.ref('given.id')}`
    return sql`update ${sql.table(table)} set ${sql.ref(order)} = ${sql.ref('given.place')} from ${orders} as ${sql.ref('given')} where ${sql.ref(`${table}.id`)} = (${row})`
  },
  copyColumns(table, columns, id) {
    const names = sql.join(columns.map((column) => sql.ref(column)))
    const copied = sql`select ${names} from ${sql.table(table)} where ${sql.ref('id')} = ${id}`
    return sql`update ${sql.table(table)} set (${names}) = (${copied}) where ${sql.ref('id')} = ${id}`
  },
  upsert({ table, columns, values, key, sets }: UpsertedRow) {
    const changes = Array.from(Object.entries(sets), ([column, value]) => {
      const next = value(sql.ref(`${table}.${column}`), sql.ref(`excluded.${column}`))
      return sql`${sql.ref(column)} = ${next}`
    })
    const then = changes.length === 0 ? sql`nothing` : sql`update set ${sql.join(changes)}`
    const names = columns.map((column) => sql.ref(column))
    return sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)}) on conflict (${sql.ref(key)}) do ${then}`
  },
} as const satisfies Partial<Dialect>

/** Of SQLite and MySQL, which keep truth values as 0 and 1. */
export function encodeScalar(value: PlanValue): SqlValue {
  switch (typeof value) {
    case 'boolean':
      return value ? 1 : 0
    case 'string':
    case 'number':
    case 'bigint':
      return value
    default:
      if (value === null) return null
      throw new InvariantError('a list was given where one value is bound')
  }
}
