// Defines the table of user sessions, made only if the file enables sessions. Archives omit it: users of an
// imported database log in again.

import { sql } from 'kysely'
import type { Dialect, Fragment } from '../../storage/sql/dialect.ts'
import { createCompiler } from '../../storage/sql/kysely-compiler.ts'
import type { Column, ColumnType, Table } from '../../storage/sql/layout.ts'
import { ownStatements } from '../../storage/sql/own-statements.ts'
import { type Statement, statement } from '../../storage/sql/statement.ts'

const column = (name: string, type: ColumnType, nullable = false): Column => ({
  name,
  type,
  nullable,
  origin: undefined,
})

/**
 * `family`: digest of the shared beginning of the session's refresh tokens. `token`: digest of the valid one.
 * `epoch`: the user's token epoch at the login. Times are epoch milliseconds.
 */
const sessions: Table = {
  name: 'cms_run_sessions',
  columns: [
    column('id', 'id'),
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
  indexes: [
    { name: 'cms_run_sessions_session', columns: ['session'], unique: true },
    { name: 'cms_run_sessions_family', columns: ['family'], unique: true },
    { name: 'cms_run_sessions_user_id', columns: ['user_id'], unique: false },
    { name: 'cms_run_sessions_idle_until', columns: ['idle_until'], unique: false },
  ],
}

export const sessionTables: readonly Table[] = [sessions]

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
  /** Values: new token, active, idle until, family, old token. Returns the session's id if the old token was valid. */
  readonly rotate: Statement
  /** Values: user, limit. Returns sessions, the one used last first. */
  readonly ofUser: Statement
  /** Values: user, session. Returns the session's id. */
  readonly end: Statement
  /** Values: user, device. */
  readonly endDevice: Statement
  /** Values: user. Returns the ids of the sessions. */
  readonly endAll: Statement
  /** Values: family. */
  readonly endFamily: Statement
  /** Values: user, user, limit. Keeps the sessions used last. */
  readonly keepNewest: Statement
  /** Values: epoch milliseconds. */
  readonly forget: Statement
}

export function createSessionStatements(dialect: Dialect): SessionStatements {
  const compile = createCompiler(dialect)
  const make = (fragment: Fragment, returns: boolean) => statement(compile(fragment).text, returns)
  const bound = (type: ColumnType) => dialect.bind(type, sql`${null}`)
  const [text, big] = [bound('text'), bound('biginteger')]
  const table = sql.table(sessions.name)
  const types = new Map(sessions.columns.map(({ name, type }) => [name, type]))
  const all = sql.join(
    sessionColumns.map((name) =>
      dialect.select(types.get(name) ?? 'text', sql.ref(`${sessions.name}.${name}`)),
    ),
  )
  return {
    add: make(
      sql`insert into ${table} (session, user_id, epoch, family, token, device, device_name, login_at, active_at, idle_until, ends_at) values (${text}, ${big}, ${big}, ${text}, ${text}, ${text}, ${text}, ${big}, ${big}, ${big}, ${big})`,
      false,
    ),
    byFamily: make(sql`select ${all} from ${table} where family = ${text}`, true),
    rotate: make(
      sql`update ${table} set token = ${text}, active_at = ${big}, idle_until = ${big} where family = ${text} and token = ${text} returning session`,
      true,
    ),
    ofUser: make(
      sql`select ${all} from ${table} where user_id = ${big} order by ${sql.ref('active_at')} desc, ${sql.ref('id')} desc limit ${dialect.limit(big)}`,
      true,
    ),
    end: make(sql`delete from ${table} where user_id = ${big} and session = ${text} returning session`, true),
    endDevice: make(sql`delete from ${table} where user_id = ${big} and device = ${text}`, false),
    endAll: make(sql`delete from ${table} where user_id = ${big} returning session`, true),
    endFamily: make(sql`delete from ${table} where family = ${text}`, false),
    keepNewest: make(
      sql`delete from ${table} where user_id = ${big} and id not in (select id from ${table} where user_id = ${big} order by active_at desc, id desc limit ${dialect.limit(big)})`,
      false,
    ),
    forget: make(sql`delete from ${table} where idle_until <= ${big}`, false),
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
