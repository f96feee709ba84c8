// Lists in statements: each becomes as many placeholders as the next power of two, so that an index finds the rows of
// updates and deletions, too, and few different statements are prepared.

import { sql } from 'kysely'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import type { Fragment } from '../../sql/dialect.ts'
import type { SqlValue } from '../../sql/statement.ts'

export type ListKind = keyof typeof kinds

const kinds = {
  integer: { type: 'bigint', parse: parseWhole },
  number: { type: 'double', parse: (text: string): SqlValue => Number(text) },
  text: { type: 'longtext', parse: (text: string): SqlValue => text },
} as const

function parseWhole(text: string): SqlValue {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/** The placeholder takes a list as JSON, whose elements are texts. */
export function listPlaceholder(column: Fragment, kind: ListKind, placeholder: Fragment): Fragment {
  return sql`${column} in (${sql.raw(`/*${kind}s*/`)}${placeholder})`
}

interface Piece {
  readonly before: string
  readonly list: ListKind | undefined
}

interface Template {
  readonly pieces: readonly Piece[]
  readonly end: string
}

interface ExpandedStatement {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** A statement takes at most 65,535 placeholders. */
const MAX_PLACEHOLDERS = 8192

const PLACEHOLDER = /(?:'(?:[^']|'')*'|`(?:[^`]|``)*`)|(?:\/\*(integer|number|text)s\*\/)?\?/g

const templates = new BoundedCache<Template>({ budget: 2_000_000 })

export function countPlaceholders(text: string): number {
  return getTemplate(text).pieces.length
}

export function expandLists(text: string, values: readonly SqlValue[]): ExpandedStatement {
  const { pieces, end } = getTemplate(text)
  if (pieces.every(({ list }) => list === undefined)) return { text, values }
  let expanded = ''
  const all: SqlValue[] = []
  for (const [index, { before, list }] of pieces.entries()) {
    const value = values[index] ?? null
    expanded += before
    if (list === undefined) {
      expanded += '?'
      all.push(value)
    } else expanded += expandList(list, value, all)
  }
  return { text: expanded + end, values: all }
}

function expandList(kind: ListKind, value: SqlValue, all: SqlValue[]): string {
  const elements = typeof value === 'string' ? (JSON.parse(value) as readonly string[]) : []
  if (elements.length === 0) return 'select null from dual where false'
  const { type, parse } = kinds[kind]
  if (elements.length > MAX_PLACEHOLDERS) {
    all.push(value)
    return `select listed.value from json_table(?, '$[*]' columns (value ${type} path '$')) as listed`
  }
  let size = 1
  while (size < elements.length) size *= 2
  const values = elements.map(parse)
  // An index serves only values of one type.
  const isMixed = values.some((one) => typeof one === 'bigint')
  for (let place = 0; place < size; place++) {
    const one = values[Math.min(place, values.length - 1)] ?? null
    all.push(isMixed && typeof one === 'number' ? BigInt(one) : one)
  }
  return Array<string>(size).fill('?').join()
}

function getTemplate(text: string): Template {
  const known = templates.get(text)
  if (known !== undefined) return known
  const pieces: Piece[] = []
  let start = 0
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (!match[0].endsWith('?')) continue
    pieces.push({ before: text.slice(start, match.index), list: match[1] as ListKind | undefined })
    start = match.index + match[0].length
  }
  const template = { pieces, end: text.slice(start) }
  templates.set(text, template, 2 * text.length)
  return template
}
