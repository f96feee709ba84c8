// The table of leases, and its statements.

import { sql } from 'kysely'
import type { Dialect } from '../storage/sql/dialect.ts'
import { column, ownStatements, ownTable } from '../storage/sql/own-statements.ts'
import type { Statement } from '../storage/sql/statement.ts'

export const leaseTable = ownTable(
  'leases',
  [column('name', 'text'), column('holder', 'text'), column('until', 'biginteger')],
  [{ columns: ['name'], unique: true }],
)

interface LeaseStatements {
  /** Values: name, holder, until, now, holder. Returns a row if the holder has the lease now. */
  readonly take: Statement
  readonly release: Statement
}

export function createLeaseStatements(dialect: Dialect): LeaseStatements {
  const { bound, reading, writing } = ownStatements(dialect)
  const [text, big] = [bound('text'), bound('biginteger')]
  const table = sql.table(leaseTable.name)
  const own = (name: string) => sql.ref(`${leaseTable.name}.${name}`)
  return {
    take: reading(
      sql`insert into ${table} (name, holder, until) values (${text}, ${text}, ${big}) on conflict (name) do update set holder = excluded.holder, until = excluded.until where ${own('until')} < ${big} or ${own('holder')} = ${text} returning holder`,
    ),
    release: writing(sql`delete from ${table} where name = ${text} and holder = ${text}`),
  }
}
