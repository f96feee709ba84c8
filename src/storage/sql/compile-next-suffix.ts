// Finds which of `chez-nous`, `chez-nous-1`, `chez-nous-2`, … is free, with one query.

import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

/** Digits of the longest suffix that counts: its number and the next one are integers on every database. */
const MAX_SUFFIX_DIGITS = 9

interface SuffixQuery {
  readonly table: Sql
  readonly column: Sql
  readonly locale: Sql | undefined
  readonly text: Sql
  readonly number: Sql
}

/** Returns how many rows have the slug itself, and the smallest free suffix. */
export function compileNextSuffix({ table, column, locale, text, number }: SuffixQuery): Sql {
  const integer = sql`cast(${number} as integer)`
  const within = locale === undefined ? sql`` : sql` and ${locale} = ${text}`
  const suffix = sql`substr(${column}, ${integer})`
  const ofDigits = sql`rtrim(${suffix}, '0123456789') = '' and substr(${column}, ${integer}, 1) between '1' and '9'`
  const nearby = sql`${column} > ${text} and ${column} < ${text} and length(${column}) <= ${integer}`
  const numbers = sql`select cast(${suffix} as integer) as n from ${table} where ${nearby} and ${ofDigits}${within}`
  // Numbers that equal their position, counted from 1, are taken without a gap; the next number is free.
  const placed = sql`select n, row_number() over (order by n) as place from (${numbers}) as numbers`
  return sql`select (select count(*) from ${table} where ${column} = ${text}${within}), (select count(*) + 1 from (${placed}) as placed where n = place)`
}

export function buildNextSuffixValues(slug: string, locale: string | undefined): (string | number)[] {
  const within = locale === undefined ? [] : [locale]
  const prefix = `${slug}-`
  const first = prefix.length + 1
  // In byte order, the full stop follows the hyphen.
  const nearby = [prefix, `${slug}.`, prefix.length + MAX_SUFFIX_DIGITS]
  return [slug, ...within, first, ...nearby, first, first, ...within]
}
