// The table of leases, created only where several processes share a database, and its statements.

import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { Table } from './layout.ts'
import { column, ownStatements } from './own-statements.ts'
import type { Statement } from './statement.ts'

const leases: Table = {
  name: 'cms_run_leases',
  columns: [
    column('id', 'id'),
    column('name', 'text'),
    column('holder', 'text'),
    column('until', 'biginteger'),
  ],
  indexes: [{ name: 'cms_run_leases_name', columns: ['name'], unique: true }],
}

export const leaseTables: readonly Table[] = [leases]

interface LeaseStatements {
  /** Values: name, holder, until, now, holder. Returns a row if the holder has the lease now. */
  readonly take: Statement
  readonly release: Statement
}

export function createLeaseStatements(dialect: Dialect): LeaseStatements {
  const { bound, reading, writing } = ownStatements(dialect)
  const [text, big] = [bound('text'), bound('biginteger')]
  const table = sql.table(leases.name)
  const own = (name: string) => sql.ref(`${leases.name}.${name}`)
  return {
    take: reading(
      sql`insert into ${table} (name, holder, until) values (${text}, ${text}, ${big}) on conflict (name) do update set holder = excluded.holder, until = excluded.until where ${own('until')} < ${big} or ${own('holder')} = ${text} returning holder`,
    ),
    release: writing(sql`delete from ${table} where name = ${text} and holder = ${text}`),
  }
}
