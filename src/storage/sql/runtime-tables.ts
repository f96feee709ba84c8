// Tables for the server's own data besides content and configuration. They are not part of archives.

import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { Table } from './layout.ts'
import { column, ownStatements } from './own-statements.ts'
import type { Statement } from './statement.ts'

const tokenUses: Table = {
  name: 'cms_run_token_uses',
  columns: [column('id', 'id'), column('name', 'text'), column('used_at', 'biginteger')],
  indexes: [{ name: 'cms_run_token_uses_name', columns: ['name'], unique: true }],
}

/** Times of attempts that a rate limit counts, by bucket, oldest first, separated by commas. */
const tries: Table = {
  name: 'cms_run_tries',
  columns: [
    column('id', 'id'),
    column('bucket', 'text'),
    column('moments', 'text'),
    column('ends_at', 'biginteger'),
  ],
  indexes: [{ name: 'cms_run_tries_bucket', columns: ['bucket'], unique: true }],
}

export const runtimeTables: readonly Table[] = [tokenUses, tries]

interface TokenUseStatements {
  readonly table: string
  /** Returns rows of name and epoch milliseconds. */
  readonly list: Statement
  /** Values: name, epoch milliseconds. A time before the stored one changes nothing. */
  readonly note: Statement
}

export function createTokenUseStatements(dialect: Dialect): TokenUseStatements {
  const { bound, reading, writing } = ownStatements(dialect)
  const table = sql.table(tokenUses.name)
  const moment = dialect.select('biginteger', sql.ref('used_at'))
  return {
    table: tokenUses.name,
    list: reading(sql`select name, ${moment} from ${table} order by name`),
    note: writing(
      sql`insert into ${table} (name, used_at) values (${bound('text')}, ${bound('biginteger')}) on conflict (name) do update set used_at = excluded.used_at where ${sql.ref(`${tokenUses.name}.used_at`)} < excluded.used_at`,
    ),
  }
}

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
  const table = sql.table(tries.name)
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
