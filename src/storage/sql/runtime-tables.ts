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

/** `key`: a digest of the caller and its `Idempotency-Key`. `status` is null until the response is stored. */
const requestKeys: Table = {
  name: 'cms_run_request_keys',
  columns: [
    column('id', 'id'),
    column('request_key', 'text'),
    column('fingerprint', 'text'),
    column('ends_at', 'biginteger'),
    column('status', 'integer', true),
    column('content_type', 'text', true),
    column('body', 'text', true),
  ],
  indexes: [
    { name: 'cms_run_request_keys_request_key', columns: ['request_key'], unique: true },
    { name: 'cms_run_request_keys_ends_at', columns: ['ends_at'], unique: false },
  ],
}

/** Of `strapi.store`: `value` is JSON. */
const storedValues: Table = {
  name: 'cms_run_values',
  columns: [column('id', 'id'), column('name', 'text'), column('value', 'text')],
  indexes: [{ name: 'cms_run_values_name', columns: ['name'], unique: true }],
}

export const runtimeTables: readonly Table[] = [tokenUses, tries, requestKeys, storedValues]

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
  const table = sql.table(storedValues.name)
  const text = bound('text')
  return {
    find: reading(sql`select value from ${table} where name = ${text}`),
    write: writing(
      sql`insert into ${table} (name, value) values (${text}, ${text}) on conflict (name) do update set value = excluded.value`,
    ),
    delete: writing(sql`delete from ${table} where name = ${text}`),
  }
}

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

interface RequestKeyStatements {
  /** Values: key, fingerprint, end, now. Returns a row if the key was free or had ended. */
  readonly claim: Statement
  /** Values: key. Returns fingerprint, status, content type and body. */
  readonly find: Statement
  /** Values: status, content type, body, key. */
  readonly finish: Statement
  /** Values: key. Deletes a key without a response. */
  readonly release: Statement
  /** Values: epoch milliseconds. Deletes keys that ended before. */
  readonly forget: Statement
}

export function createRequestKeyStatements(dialect: Dialect): RequestKeyStatements {
  const { bound, reading, writing } = ownStatements(dialect)
  const table = sql.table(requestKeys.name)
  const [text, big, int] = [bound('text'), bound('biginteger'), bound('integer')]
  return {
    claim: reading(
      sql`insert into ${table} (request_key, fingerprint, ends_at) values (${text}, ${text}, ${big}) on conflict (request_key) do update set fingerprint = excluded.fingerprint, ends_at = excluded.ends_at, status = null, content_type = null, body = null where ${sql.ref(`${requestKeys.name}.ends_at`)} < ${big} returning id`,
    ),
    find: reading(
      sql`select fingerprint, status, content_type, body from ${table} where request_key = ${text}`,
    ),
    finish: writing(
      sql`update ${table} set status = ${int}, content_type = ${text}, body = ${text} where request_key = ${text}`,
    ),
    release: writing(sql`delete from ${table} where request_key = ${text} and status is null`),
    forget: writing(sql`delete from ${table} where ends_at < ${big}`),
  }
}
