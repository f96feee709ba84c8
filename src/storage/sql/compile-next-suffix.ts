// Finds which of `chez-nous`, `chez-nous-1`, `chez-nous-2`, … is free, with one query.

import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'

type Sql = RawBuilder<unknown>

/** Digits of the longest suffix that counts: its number and the next one are integers on every database. */
const MAX_SUFFIX_DIGITS = 9

interface SuffixQuery {
  readonly table: Sql
  readonly column: Sql
  readonly locale: Sql | undefined
  readonly text: Sql
  readonly dialect: Dialect
}

/** Returns how many rows have the slug itself, and the smallest free suffix. */
export function compileNextSuffix({ table, column, locale, text, dialect }: SuffixQuery): Sql {
  const within = locale === undefined ? sql`` : sql` and ${locale} = ${text}`
  // The text is the slug with its hyphen.
  const start = sql`${dialect.size(text)} + 1`
  const suffix = sql`substr(${column}, ${start})`
  const ofDigits = sql`${dialect.isDigits(suffix)} and substr(${column}, ${start}, 1) between '1' and '9'`
  const isShort = sql`${dialect.size(column)} <= ${dialect.size(text)} + ${sql.lit(MAX_SUFFIX_DIGITS)}`
  const nearby = sql`${column} > ${text} and ${column} < ${text} and ${isShort}`
  const numbers = sql`select ${dialect.whole(suffix)} as n from ${table} where ${nearby} and ${ofDigits}${within}`
  // Numbers that equal their position, counted from 1, are taken without a gap; the next number is free.
  const placed = sql`select n, row_number() over (order by n) as place from (${numbers}) as numbers`
  return sql`select (select count(*) from ${table} where ${column} = ${text}${within}), (select count(*) + 1 from (${placed}) as placed where n = place)`
}

export function buildNextSuffixValues(slug: string, locale: string | undefined): readonly string[] {
  const within = locale === undefined ? [] : [locale]
  const prefix = `${slug}-`
  // In byte order, the full stop follows the hyphen.
  return [slug, ...within, prefix, prefix, `${slug}.`, prefix, prefix, prefix, ...within]
}
