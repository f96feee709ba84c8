// The table of user sessions, and its statements. Archives omit it: users of an imported database log in again.

import { sql } from 'kysely'
import type { Dialect } from '../../storage/sql/dialect.ts'
import { column, ownStatements, ownTable } from '../../storage/sql/own-statements.ts'
import type { Statement } from '../../storage/sql/statement.ts'

/**
 * `family`: digest of the shared beginning of the session's refresh tokens. `token`: digest of the valid one.
 * `epoch`: the user's token epoch at the login. Times are epoch milliseconds.
 */
export const sessionTable = ownTable(
  'sessions',
  [
    column('session', 'text'),
    column('user_id', 'biginteger'),
    column('epoch', 'biginteger'),
    column('family', 'text'),
    column('token', 'text'),
    column('device', 'text', true),
    column('device_name', 'text', true),
    column('login_at', 'biginteger'),
    column('active_at', 'biginteger'),
    column('idle_until', 'biginteger'),
    column('ends_at', 'biginteger'),
  ],
  [
    { columns: ['session'], unique: true },
    { columns: ['family'], unique: true },
    { columns: ['user_id'] },
    { columns: ['idle_until'] },
  ],
)

/** Columns of every statement that returns sessions. */
export const sessionColumns = [
  'session',
  'user_id',
  'epoch',
  'token',
  'device',
  'device_name',
  'login_at',
  'active_at',
  'idle_until',
  'ends_at',
] as const

interface SessionStatements {
  /** Values: session, user, epoch, family, token, device, device name, login, active, idle until, ends. */
  readonly add: Statement
  /** Values: family. Returns sessions. */
  readonly byFamily: Statement
  /** Values: new token, active, idle until, family, old token. Returns a row if the old token was valid. */
  readonly rotate: Statement
  /** Values: user, limit. Returns sessions, the one used last first. */
  readonly ofUser: Statement
  /** Values: user, session. Returns a row if there was one. */
  readonly end: Statement
  /** Values: user, device. */
  readonly endDevice: Statement
  /** Values: user. Returns a row for each session. */
  readonly endAll: Statement
  /** Values: family. */
  readonly endFamily: Statement
  /** Values: user, user, limit. Keeps the sessions used last. */
  readonly keepNewest: Statement
  /** Values: epoch milliseconds. */
  readonly forget: Statement
}

export function createSessionStatements(dialect: Dialect): SessionStatements {
  const { bound, reading, writing, finding } = ownStatements(dialect)
  const [text, big] = [bound('text'), bound('biginteger')]
  const table = sql.table(sessionTable.name)
  const types = new Map(sessionTable.columns.map(({ name, type }) => [name, type]))
  const all = sql.join(
    sessionColumns.map((name) =>
      dialect.select(types.get(name) ?? 'text', sql.ref(`${sessionTable.name}.${name}`)),
    ),
  )
  return {
    add: writing(
      sql`insert into ${table} (session, user_id, epoch, family, token, device, device_name, login_at, active_at, idle_until, ends_at) values (${text}, ${big}, ${big}, ${text}, ${text}, ${text}, ${text}, ${big}, ${big}, ${big}, ${big})`,
    ),
    byFamily: reading(sql`select ${all} from ${table} where family = ${text}`),
    rotate: finding(
      sql`update ${table} set token = ${text}, active_at = ${big}, idle_until = ${big} where family = ${text} and token = ${text}`,
    ),
    ofUser: reading(
      sql`select ${all} from ${table} where user_id = ${big} order by ${sql.ref('active_at')} desc, ${sql.ref('id')} desc limit ${dialect.limit(big)}`,
    ),
    end: finding(sql`delete from ${table} where user_id = ${big} and session = ${text}`),
    endDevice: writing(sql`delete from ${table} where user_id = ${big} and device = ${text}`),
    endAll: finding(sql`delete from ${table} where user_id = ${big}`),
    endFamily: writing(sql`delete from ${table} where family = ${text}`),
    keepNewest: writing(
      sql`delete from ${table} where user_id = ${big} and id not in (select id from (select id from ${table} where user_id = ${big} order by active_at desc, id desc limit ${dialect.limit(big)}) as newest)`,
    ),
    forget: writing(sql`delete from ${table} where idle_until <= ${big}`),
  }
}

/** Values: the address in lower case; the id. */
export function createUserIdStatements(
  dialect: Dialect,
  table: string,
): { readonly byEmail: Statement; readonly byId: Statement } {
  const { bound, reading } = ownStatements(dialect)
  const users = sql.table(table)
  return {
    byEmail: reading(sql`select id from ${users} where email = ${bound('text')} order by id limit 1`),
    byId: reading(sql`select id from ${users} where id = ${bound('biginteger')}`),
  }
}
