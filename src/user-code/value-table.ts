// The table of `strapi.store`, and its statements.

import { sql } from 'kysely'
import type { Dialect } from '../storage/sql/dialect.ts'
import { column, ownStatements, ownTable } from '../storage/sql/own-statements.ts'
import type { Statement } from '../storage/sql/statement.ts'

/** `value` is JSON. */
export const valueTable = ownTable(
  'values',
  [column('name', 'text'), column('value', 'text')],
  [{ columns: ['name'], unique: true }],
)

interface ValueStatements {
  /** Values: name. */
  readonly find: Statement
  /** Values: name, value. */
  readonly write: Statement
  /** Values: name. */
  readonly delete: Statement
}

export function createValueStatements(dialect: Dialect): ValueStatements {
  const { bound, reading, writing } = ownStatements(dialect)
  const table = sql.table(valueTable.name)
  const text = bound('text')
  return {
    find: reading(sql`select value from ${table} where name = ${text}`),
    write: writing(
      dialect.upsert({
        table: valueTable.name,
        columns: ['name', 'value'],
        values: [text, text],
        key: 'name',
        sets: { value: (_, given) => given },
      }),
    ),
    delete: writing(sql`delete from ${table} where name = ${text}`),
  }
}
