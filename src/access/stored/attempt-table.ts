// The table of attempts that rate limits count, and its statements.

import { sql } from 'kysely'
import type { Dialect } from '../../storage/sql/dialect.ts'
import { column, ownStatements, ownTable } from '../../storage/sql/own-statements.ts'
import type { Statement } from '../../storage/sql/statement.ts'

/** `moments`: the times of the attempts, oldest first, separated by commas. */
export const attemptTable = ownTable(
  'tries',
  [column('bucket', 'text'), column('moments', 'text'), column('ends_at', 'biginteger')],
  [{ columns: ['bucket'], unique: true }],
)

interface AttemptStatements {
  /** Values: bucket. Creates its row if it is missing, locks the row, and returns its times. */
  readonly open: Statement
  /** Values: times, the end of the last one, bucket. */
  readonly write: Statement
  /** Values: epoch milliseconds. Deletes buckets that ended before. */
  readonly forget: Statement
}

export function createAttemptStatements(dialect: Dialect): AttemptStatements {
  const { bound, reading, writing } = ownStatements(dialect)
  const table = sql.table(attemptTable.name)
  const [text, big] = [bound('text'), bound('biginteger')]
  return {
    // The update changes nothing; it locks the row on a server.
    open: reading(
      sql`insert into ${table} (bucket, moments, ends_at) values (${text}, '', 0) on conflict (bucket) do update set bucket = excluded.bucket returning moments`,
    ),
    write: writing(sql`update ${table} set moments = ${text}, ends_at = ${big} where bucket = ${text}`),
    forget: writing(sql`delete from ${table} where ends_at < ${big}`),
  }
}
