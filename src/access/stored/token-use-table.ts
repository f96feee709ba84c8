// The table of the last uses of API tokens, and its statements.

import { sql } from 'kysely'
import type { Dialect } from '../../storage/sql/dialect.ts'
import { column, ownStatements, ownTable } from '../../storage/sql/own-statements.ts'
import type { Statement } from '../../storage/sql/statement.ts'

export const tokenUseTable = ownTable(
  'token_uses',
  [column('name', 'text'), column('used_at', 'biginteger')],
  [{ columns: ['name'], unique: true }],
)

interface TokenUseStatements {
  /** Returns rows of name and epoch milliseconds. */
  readonly list: Statement
  /** Values: name, epoch milliseconds. A time before the stored one changes nothing. */
  readonly note: Statement
}

export function createTokenUseStatements(dialect: Dialect): TokenUseStatements {
  const { bound, reading, writing } = ownStatements(dialect)
  const table = sql.table(tokenUseTable.name)
  const moment = dialect.select('biginteger', sql.ref('used_at'))
  return {
    list: reading(sql`select name, ${moment} from ${table} order by name`),
    note: writing(
      dialect.upsert({
        table: tokenUseTable.name,
        columns: ['name', 'used_at'],
        values: [bound('text'), bound('biginteger')],
        key: 'name',
        sets: {
          used_at: (stored, given) => sql`case when ${stored} < ${given} then ${given} else ${stored} end`,
        },
      }),
    ),
  }
}
