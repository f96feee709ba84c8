// Tables of the feed of changes, of webhooks and of leases, and the statements that use them. They are made only where
// events are asked for, are not part of archives, and losing them loses no user's work.

import { sql } from 'kysely'
import type { Dialect, Fragment } from './dialect.ts'
import { createCompiler } from './kysely-compiler.ts'
import type { Column, ColumnType, Table } from './layout.ts'
import { type Statement, statement } from './statement.ts'

const column = (name: string, type: ColumnType, nullable = false): Column => ({
  name,
  type,
  nullable,
  origin: undefined,
})

/** One row: `last` is the number of the last event, `trimmed` that of the last one that was deleted for its age. */
const feed: Table = {
  name: 'cms_run_feed',
  columns: [
    column('id', 'id'),
    column('epoch', 'text'),
    column('last', 'biginteger'),
    column('trimmed', 'biginteger'),
  ],
  indexes: [],
}

/** The id is the event's number, in the order of the commits, without gaps. */
const events: Table = {
  name: 'cms_run_events',
  columns: [
    column('id', 'id'),
    column('at', 'biginteger'),
    column('type', 'text'),
    column('entry', 'biginteger', true),
    column('action', 'text'),
    column('facts', 'text'),
  ],
  indexes: [{ name: 'cms_run_events_at', columns: ['at'], unique: false }],
}

/** Who of several processes does what only one may do, until when. */
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

export const eventTables: readonly Table[] = [feed, events, leases]

export interface FeedStatements {
  /** Values: epoch. Makes the row of the feed if there is none. */
  readonly begin: Statement
  /** Returns epoch, last, trimmed. */
  readonly state: Statement
  /** Values: how many. Locks the feed until the end of the transaction. */
  readonly advance: Statement
  /** Values: distance to the last number, moment, type, entry, action, facts. */
  readonly insert: Statement
  /** Values: after which number, up to which, how many. Returns id, at, type, entry, action, facts. */
  readonly list: Statement
  /** Values: epoch milliseconds. Returns the highest number that is older. */
  readonly oldest: Statement
  /** Values: a number. Deletes it and all before. */
  readonly trim: Statement
  /** Values: that number. */
  readonly trimmed: Statement
}

export function feedStatements(dialect: Dialect): FeedStatements {
  const compile = createCompiler(dialect)
  const text = (fragment: Fragment, returns: boolean) => statement(compile(fragment).text, returns)
  const bound = (type: ColumnType) => dialect.bind(type, sql`${null}`)
  const [row, list] = [sql.table(feed.name), sql.table(events.name)]
  const big = bound('biginteger')
  return {
    begin: text(
      sql`insert into ${row} (id, epoch, last, trimmed) values (1, ${bound('text')}, 0, 0) on conflict (id) do nothing`,
      false,
    ),
    state: text(
      sql`select epoch, ${dialect.select('biginteger', sql.ref('last'))}, ${dialect.select('biginteger', sql.ref('trimmed'))} from ${row} where id = 1`,
      true,
    ),
    advance: text(sql`update ${row} set last = last + ${big} where id = 1`, false),
    insert: text(
      sql`insert into ${list} (id, at, type, entry, action, facts) values ((select last from ${row} where id = 1) - ${big}, ${big}, ${bound('text')}, ${big}, ${bound('text')}, ${bound('text')})`,
      false,
    ),
    list: text(
      sql`select id, ${dialect.select('biginteger', sql.ref('at'))}, type, ${dialect.select('biginteger', sql.ref('entry'))}, action, facts from ${list} where ${sql.ref(`${events.name}.id`)} > ${big} and ${sql.ref(`${events.name}.id`)} <= ${big} order by ${sql.ref(`${events.name}.id`)} limit ${dialect.limit(big)}`,
      true,
    ),
    oldest: text(sql`select max(id) from ${list} where ${sql.ref(`${events.name}.at`)} < ${big}`, true),
    trim: text(sql`delete from ${list} where ${sql.ref(`${events.name}.id`)} <= ${big}`, false),
    trimmed: text(sql`update ${row} set trimmed = ${big} where id = 1`, false),
  }
}

export interface LeaseStatements {
  /** Values: name, holder, until, now, holder. Returns a row if the lease is the holder's now. */
  readonly take: Statement
  /** Values: name, holder. */
  readonly release: Statement
}

export function leaseStatements(dialect: Dialect): LeaseStatements {
  const compile = createCompiler(dialect)
  const table = sql.table(leases.name)
  const bound = (type: ColumnType) => dialect.bind(type, sql`${null}`)
  const own = (name: string) => sql.ref(`${leases.name}.${name}`)
  return {
    take: statement(
      compile(
        sql`insert into ${table} (name, holder, until) values (${bound('text')}, ${bound('text')}, ${bound('biginteger')}) on conflict (name) do update set holder = excluded.holder, until = excluded.until where ${own('until')} < ${bound('biginteger')} or ${own('holder')} = ${bound('text')} returning holder`,
      ).text,
      true,
    ),
    release: statement(
      compile(sql`delete from ${table} where name = ${bound('text')} and holder = ${bound('text')}`).text,
      false,
    ),
  }
}
