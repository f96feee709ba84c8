// Compiles the search for rows that share a unique set of values and links with another row. A row with a
// missing value or link never matches.

import { type RawBuilder, sql } from 'kysely'
import type { Together } from './layout.ts'

type Sql = RawBuilder<unknown>

export function compileTogether(
  table: string,
  { columns, links, published }: Together,
  only?: (id: Sql) => Sql,
): Sql {
  const rows = (name: string): Sql => {
    const joins = links.map(({ table: link, near }, place) => {
      const alias = `${name}${place}`
      return sql` join ${sql.table(link)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.${near}`)} = ${sql.ref(`${name}.id`)}`
    })
    return sql`${sql.table(table)} as ${sql.ref(name)}${sql.join(joins, sql``)}`
  }
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
