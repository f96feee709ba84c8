// The table of `Idempotency-Key`s, and its statements.

import { sql } from 'kysely'
import type { Dialect } from '../storage/sql/dialect.ts'
import { column, ownStatements, ownTable } from '../storage/sql/own-statements.ts'
import type { Statement } from '../storage/sql/statement.ts'

/** `request_key`: a digest of the caller and its key. `status` is null until the response is stored. */
export const requestKeyTable = ownTable(
  'request_keys',
  [
    column('request_key', 'text'),
    column('fingerprint', 'text'),
    column('ends_at', 'biginteger'),
    column('status', 'integer', true),
    column('content_type', 'text', true),
    column('body', 'text', true),
  ],
  [{ columns: ['request_key'], unique: true }, { columns: ['ends_at'] }],
)

interface RequestKeyStatements {
  /** Values: key, fingerprint, end. */
  readonly claim: Statement
  /** Values: fingerprint, end, key. Without the response of the key's time before. */
  readonly renew: Statement
  /** Values: key. Returns fingerprint, status, content type, body and end. */
  readonly find: Statement
  /** Values: status, content type, body, key. */
  readonly finish: Statement
  /** Values: key. Deletes a key without a response. */
  readonly release: Statement
  /** Values: epoch milliseconds. Deletes keys that ended before. */
  readonly forget: Statement
}

export function createRequestKeyStatements(dialect: Dialect): RequestKeyStatements {
  const { bound, locking, writing } = ownStatements(dialect)
  const table = sql.table(requestKeyTable.name)
  const [text, big, int] = [bound('text'), bound('biginteger'), bound('integer')]
  return {
    claim: writing(
      sql`insert into ${table} (request_key, fingerprint, ends_at) values (${text}, ${text}, ${big})`,
    ),
    renew: writing(
      sql`update ${table} set fingerprint = ${text}, ends_at = ${big}, status = null, content_type = null, body = null where request_key = ${text}`,
    ),
    find: locking(
      sql`select fingerprint, status, content_type, body, ${dialect.select('biginteger', sql.ref('ends_at'))} from ${table} where request_key = ${text}`,
    ),
    finish: writing(
      sql`update ${table} set status = ${int}, content_type = ${text}, body = ${text} where request_key = ${text}`,
    ),
    release: writing(sql`delete from ${table} where request_key = ${text} and status is null`),
    forget: writing(sql`delete from ${table} where ends_at < ${big}`),
  }
}
