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
  /** Values: bucket. Creates its row if it is missing, and locks the row. */
  readonly open: Statement
  /** Values: bucket. */
  readonly moments: Statement
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
    open: writing(
      dialect.upsert({
        table: attemptTable.name,
        columns: ['bucket', 'moments', 'ends_at'],
        values: [text, sql`''`, sql`0`],
        key: 'bucket',
        sets: { bucket: (stored) => stored },
      }),
    ),
    moments: reading(sql`select moments from ${table} where bucket = ${text}`),
    write: writing(sql`update ${table} set moments = ${text}, ends_at = ${big} where bucket = ${text}`),
    forget: writing(sql`delete from ${table} where ends_at < ${big}`),
  }
}
