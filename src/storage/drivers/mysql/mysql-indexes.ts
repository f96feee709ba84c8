// Indexes on MySQL and MariaDB. An index holds the beginning of a text, which is enough to find rows, but not to keep them
// unique: a unique index holds the hash of whole texts, in a generated column that is null for rows that may be alike.

import { sql } from 'kysely'
import type { Fragment, IndexedTable, IndexStatements } from '../../sql/dialect.ts'
import type { ColumnType, Index } from '../../sql/layout.ts'

/** Characters of four bytes; an index takes 3,072 bytes in all. */
const INDEXED_CHARACTERS = 150

const TEXTS: ReadonlySet<ColumnType | undefined> = new Set<ColumnType>(['text', 'json'])

export const mysqlIndexes: IndexStatements = {
  create(table, index) {
    // MariaDB uses an index of an expression only where a statement names its generated column.
    if (index.json !== undefined) return []
    const isText = (name: string): boolean => TEXTS.has(getType(table, name))
    const part = (name: string): Fragment =>
      isText(name) ? sql`${sql.ref(name)}(${sql.lit(INDEXED_CHARACTERS)})` : sql.ref(name)
    const name = sql.id(index.name)
    const on = sql.table(table.name)
    // Whoever reads of a conflict finds the columns there.
    const comment = sql`comment ${sql.lit(index.columns.join())}`
    if (!index.unique)
      return [sql`create index ${name} on ${on} (${sql.join(index.columns.map(part))}) ${comment}`]
    if (!isHashed(table, index))
      return [
        sql`create unique index ${name} on ${on} (${sql.join(index.columns.map((one) => sql.ref(one)))}) ${comment}`,
      ]
    const hash = sql.id(getHashColumn(index))
    const others = index.columns.filter((one) => !isText(one)).map((one) => sql.ref(one))
    const type = sql`binary(32) generated always as (${getHash(table, index)}) virtual`
    return [
      sql`alter table ${on} add column ${hash} ${type}, add unique index ${name} (${sql.join([hash, ...others])}) ${comment}`,
    ]
  },
  drop(table, index) {
    if (index.json !== undefined) return []
    const on = sql.table(table.name)
    const drop = sql`alter table ${on} drop index ${sql.id(index.name)}`
    return [isHashed(table, index) ? sql`${drop}, drop column ${sql.id(getHashColumn(index))}` : drop]
  },
}

function isHashed(table: IndexedTable, { unique, columns, published, filled }: Index): boolean {
  if (!unique) return false
  return published === true || filled === true || columns.some((name) => TEXTS.has(getType(table, name)))
}

/** Null if a text is missing, or for rows that the index leaves out. */
function getHash(table: IndexedTable, { columns, published, filled }: Index): Fragment {
  const texts = columns.filter((name) => TEXTS.has(getType(table, name)))
  const each = texts.map((name) => sql`sha2(${sql.ref(name)}, 256)`)
  const hash = sql`unhex(sha2(concat('', ${sql.join(each)}), 256))`
  const conditions = [
    ...(published === true ? [sql`${sql.ref('published_at')} is not null`] : []),
    ...(filled === true ? [sql`${sql.ref(columns[0] ?? 'id')} <> ''`] : []),
  ]
  return conditions.length === 0 ? hash : sql`case when ${sql.join(conditions, sql` and `)} then ${hash} end`
}

function getType({ columns }: IndexedTable, name: string): ColumnType | undefined {
  return columns.find((column) => column.name === name)?.type
}

/** No attribute can have this name. */
function getHashColumn({ name }: Index): string {
  return `#${name}`
}
