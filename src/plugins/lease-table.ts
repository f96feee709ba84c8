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
  /** Values: name. Returns holder and until. */
  readonly find: Statement
  /** Values: name, holder, until. */
  readonly take: Statement
  /** Values: holder, until, name. */
  readonly renew: Statement
  readonly release: Statement
}

export function createLeaseStatements(dialect: Dialect): LeaseStatements {
  const { bound, locking, writing } = ownStatements(dialect)
  const [text, big] = [bound('text'), bound('biginteger')]
  const table = sql.table(leaseTable.name)
  const until = sql.ref('until')
  return {
    find: locking(
      sql`select holder, ${dialect.select('biginteger', until)} from ${table} where name = ${text}`,
    ),
    take: writing(sql`insert into ${table} (name, holder, ${until}) values (${text}, ${text}, ${big})`),
    renew: writing(sql`update ${table} set holder = ${text}, ${until} = ${big} where name = ${text}`),
    release: writing(sql`delete from ${table} where name = ${text} and holder = ${text}`),
  }
}
