// Indexes texts on SQLite: FTS5 trigrams per column, updated by triggers in the same transaction, which find
// candidates.

import { sql } from 'kysely'
import type { Fragment, TextIndexes } from '../../sql/dialect.ts'

const OCCASIONS = ['insert', 'update', 'delete'] as const

const PARTS = sql.ref('parts')

/** More trigrams make the search longer, but rarely the candidates fewer. */
const MAX_TRIGRAMS = 12

export const sqliteTextIndex: TextIndexes = {
  obstacle: undefined,
  create(index, table, column) {
    const parts = sql.table(index)
    const row = (which: 'old' | 'new', of: string): Fragment => sql`${sql.id(which, of)}`
    const trigger = (occasion: (typeof OCCASIONS)[number]): Fragment => sql.id(triggerName(index, occasion))
    const add = sql`insert into ${parts} (rowid, ${PARTS}) select ${row('new', 'id')}, ${row('new', column)} where ${row('new', column)} is not null;`
    const remove = sql`insert into ${parts} (${parts}, rowid, ${PARTS}) select 'delete', ${row('old', 'id')}, ${row('old', column)} where ${row('old', column)} is not null;`
    const on = sql.table(table)
    return [
      sql`create virtual table ${parts} using fts5(parts, tokenize = 'trigram', content = '', columnsize = 0, detail = none)`,
      sql`insert into ${parts} (rowid, ${PARTS}) select id, ${sql.ref(column)} from ${on} where ${sql.ref(column)} is not null`,
      sql`create trigger ${trigger('insert')} after insert on ${on} begin ${add} end`,
      sql`create trigger ${trigger('update')} after update of ${sql.ref(column)} on ${on} when ${row('old', column)} is not ${row('new', column)} begin ${remove} ${add} end`,
      sql`create trigger ${trigger('delete')} after delete on ${on} begin ${remove} end`,
    ]
  },
  drop: (index) => [
    ...OCCASIONS.map((occasion) => sql`drop trigger if exists ${sql.id(triggerName(index, occasion))}`),
    sql`drop table ${sql.table(index)}`,
  ],
  list: sql`select f.name from sqlite_schema as f where f.type = 'table' and f.sql like 'create virtual table%' and ${sql.join(
    OCCASIONS.map(
      (occasion) =>
        sql`exists (select 1 from sqlite_schema as t where t.type = 'trigger' and t.name = f.name || ${sql.lit(`_${occasion}`)})`,
    ),
    sql` and `,
  )}`,
  candidate(index, id, _column, placeholder) {
    const parts = sql.table(index)
    return sql`${id} in (select rowid from ${parts} where ${parts} match ${placeholder})`
  },
  count(index, placeholder, most) {
    const parts = sql.table(index)
    return sql`(select count(*) from (select 1 from ${parts} where ${parts} match ${placeholder} limit ${sql.lit(most)}))`
  },
  /** Trigrams that cover the term, each quoted, so that its characters have no special meaning. */
  encode(term) {
    const characters = [...term]
    const last = characters.length - 3
    const starts = new Set<number>()
    for (let start = 0; start < last && starts.size < MAX_TRIGRAMS - 1; start += 3) starts.add(start)
    starts.add(last)
    return Array.from(
      starts,
      (start) =>
        `"${characters
          .slice(start, start + 3)
          .join('')
          .replaceAll('"', '""')}"`,
    ).join(' AND ')
  },
}

function triggerName(index: string, occasion: (typeof OCCASIONS)[number]): string {
  return `${index}_${occasion}`
}
