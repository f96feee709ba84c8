// Tables and statements of the feed. They are not archived, and may be lost without harm to content.

import { sql } from 'kysely'
import type { Dialect } from '../../../storage/sql/dialect.ts'
import { column, ownStatements, ownTable } from '../../../storage/sql/own-statements.ts'
import type { Statement } from '../../../storage/sql/statement.ts'

/** One row: `last` is the number of the last event, `trimmed` of the last one deleted for its age. */
const feed = ownTable('feed', [
  column('epoch', 'text'),
  column('last', 'biginteger'),
  column('trimmed', 'biginteger'),
])

/** The id is the event's number, in commit order, without gaps. */
const events = ownTable(
  'events',
  [
    column('at', 'biginteger'),
    column('type', 'text'),
    column('entry', 'biginteger', true),
    column('action', 'text'),
    column('facts', 'text'),
  ],
  [{ columns: ['at'] }],
)

export const eventTables = [feed, events]

interface FeedStatements {
  /** Values: epoch. Inserts the feed's row if it is missing. */
  readonly begin: Statement
  /** Returns epoch, last, trimmed. */
  readonly state: Statement
  /** Values: how many. Locks the feed until the end of the transaction. */
  readonly advance: Statement
  /** Values: distance to the last number, moment, type, entry, action, facts. */
  readonly insert: Statement
  readonly notify: Statement | undefined
  /** Values: exclusive start, inclusive end, how many. Returns id, at, type, entry, action, facts. */
  readonly list: Statement
  /** Values: epoch milliseconds. Returns the highest number that is older. */
  readonly oldest: Statement
  /** Values: the last number to delete. */
  readonly trim: Statement
  readonly trimmed: Statement
}

export function createFeedStatements(dialect: Dialect): FeedStatements {
  const { bound, reading, writing } = ownStatements(dialect)
  const [row, list] = [sql.table(feed.name), sql.table(events.name)]
  const [text, big] = [bound('text'), bound('biginteger')]
  const id = sql.ref(`${events.name}.id`)
  return {
    begin: writing(
      dialect.upsert({
        table: feed.name,
        columns: ['id', 'epoch', 'last', 'trimmed'],
        values: [sql`1`, text, sql`0`, sql`0`],
        key: 'id',
        sets: {},
      }),
    ),
    state: reading(
      sql`select epoch, ${dialect.select('biginteger', sql.ref('last'))}, ${dialect.select('biginteger', sql.ref('trimmed'))} from ${row} where id = 1`,
    ),
    advance: writing(sql`update ${row} set last = last + ${big} where id = 1`),
    insert: writing(
      sql`insert into ${list} (id, at, type, entry, action, facts) values ((select last from ${row} where id = 1) - ${big}, ${big}, ${text}, ${big}, ${text}, ${text})`,
    ),
    notify: dialect.notify && reading(dialect.notify),
    list: reading(
      sql`select id, ${dialect.select('biginteger', sql.ref('at'))}, type, ${dialect.select('biginteger', sql.ref('entry'))}, action, facts from ${list} where ${id} > ${big} and ${id} <= ${big} order by ${id} limit ${dialect.limit(big)}`,
    ),
    oldest: reading(sql`select max(id) from ${list} where ${sql.ref(`${events.name}.at`)} < ${big}`),
    trim: writing(sql`delete from ${list} where ${id} <= ${big}`),
    trimmed: writing(sql`update ${row} set trimmed = ${big} where id = 1`),
  }
}
