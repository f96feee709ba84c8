// Compiles the search for rows that share a unique set of values and links with another row. A row with a
// missing value or link never matches.

import { type RawBuilder, sql } from 'kysely'
import { storedTable, type TableSource } from './kysely-compiler.ts'
import type { Together } from './layout.ts'

type Sql = RawBuilder<unknown>

interface TogetherOptions {
  readonly from?: TableSource
  /** The condition for the ids of which rows alike are searched. */
  readonly only?: (id: Sql) => Sql
}

export function compileTogether(
  table: string,
  together: Together,
  { from = storedTable, only }: TogetherOptions,
): Sql {
  const { columns, links, published } = together
  const rows = (name: string): Sql => joinLinks(from, table, together, name)
  const equal = [
    ...columns.map((column) => sql`${sql.ref(`b.${column}`)} = ${sql.ref(`a.${column}`)}`),
    ...links.map(({ far }, place) => sql`${sql.ref(`b${place}.${far}`)} = ${sql.ref(`a${place}.${far}`)}`),
  ]
  if (published === true)
    equal.push(...['a', 'b'].map((name) => sql`${sql.ref(`${name}.published_at`)} is not null`))
  const id = sql.ref('a.id')
  const restricted = only === undefined ? sql`` : sql`${only(id)} and `
  const other = sql`select 1 from ${rows('b')} where ${sql.ref('b.id')} <> ${id} and ${sql.join(equal, sql` and `)}`
  return sql`select ${id} from ${rows('a')} where ${restricted}exists (${other}) order by ${id}`
}

/** Rows of the id, the columns as `select` has them, and the other ends of the links. */
export function compileTuples(
  from: TableSource,
  table: string,
  together: Together,
  select: (column: Sql, place: number) => Sql,
  only: (id: Sql) => Sql,
): Sql {
  const { columns, links, published } = together
  const own = columns.map((column) => sql.ref(`a.${column}`))
  const far = links.map((link, place) => sql.ref(`a${place}.${link.far}`))
  const present = [...own, ...(published === true ? [sql.ref('a.published_at')] : [])]
  const conditions = [only(sql.ref('a.id')), ...present.map((column) => sql`${column} is not null`)]
  return sql`select ${sql.join([sql.ref('a.id'), ...own.map(select), ...far])} from ${joinLinks(from, table, together, 'a')} where ${sql.join(conditions, sql` and `)}`
}

function joinLinks(from: TableSource, table: string, { links }: Together, name: string): Sql {
  const joins = links.map(({ table: link, near }, place) => {
    const alias = `${name}${place}`
    return sql` join ${from(link)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.${near}`)} = ${sql.ref(`${name}.id`)}`
  })
  return sql`${from(table)} as ${sql.ref(name)}${sql.join(joins, sql``)}`
}
