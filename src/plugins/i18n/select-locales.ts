// Which of the file's locales a GraphQL list shows: filters, order and page of a list that is in no table.
//

import { ApiError, invalidParameter } from '../../errors/api-error.ts'
import { parseSortText } from '../../plan/parse-sort-text.ts'
import { isRecord } from '../../util/is-record.ts'
import type { Locale } from './locale-routes.ts'

type Key = 'id' | 'name' | 'code' | 'createdAt' | 'updatedAt'
type Plain = string | number

export interface SelectedLocales {
  readonly shown: readonly Locale[]
  readonly pagination: {
    readonly total: number
    readonly page: number
    readonly pageSize: number
    readonly pageCount: number
  }
}

/** The schema has checked the names and types of the arguments. Throws ValidationError and PaginationError. */
export function selectLocales(
  locales: readonly Locale[],
  { filters, sort, pagination }: Readonly<Record<string, unknown>>,
): SelectedLocales {
  const matching = sorted(
    locales.filter((locale) => passes(locale, filters)),
    sort,
  )
  const { start, size } = windowOf(isRecord(pagination) ? pagination : {}, matching.length)
  const total = matching.length
  return {
    shown: matching.slice(start, start + size),
    pagination: {
      total,
      page: Math.floor(start / size) + 1,
      pageSize: size,
      pageCount: Math.ceil(total / size),
    },
  }
}

function passes(locale: Locale, filters: unknown): boolean {
  if (!isRecord(filters)) return true
  return Object.entries(filters).every(([key, value]) => {
    if (value === null || value === undefined) return true
    if (key === 'and') return listOf(value).every((one) => passes(locale, one))
    if (key === 'or') return listOf(value).some((one) => passes(locale, one))
    if (key === 'not') return !passes(locale, value)
    return isAs(plainOf(key as Key, locale[key as Key]), key as Key, value)
  })
}

/** One attribute against its operators. */
function isAs(own: Plain, key: Key, operators: unknown): boolean {
  if (!isRecord(operators)) return own === plainOf(key, operators)
  return Object.entries(operators).every(([operator, operand]) => {
    if (operand === null || operand === undefined) return true
    if (operator === 'and') return listOf(operand).every((one) => own === plainOf(key, one))
    if (operator === 'or') return listOf(operand).some((one) => own === plainOf(key, one))
    if (operator === 'not') return !isAs(own, key, operand)
    const operands = listOf(operand).map((one) => plainOf(key, one))
    return matches[operator as keyof typeof matches](own, operands, operand)
  })
}

type Match = (own: Plain, operands: readonly Plain[], given: unknown) => boolean

const first: (compare: (own: string, operand: string) => boolean) => Match =
  (compare) =>
  (own, [operand = '']) =>
    compare(String(own), String(operand))
const ordered: (compare: (own: Plain, operand: Plain) => boolean) => Match =
  (compare) =>
  (own, [operand = '']) =>
    compare(own, operand)

const matches = {
  eq: first((own, operand) => own === operand),
  eqi: first((own, operand) => fold(own) === fold(operand)),
  ne: first((own, operand) => own !== operand),
  nei: first((own, operand) => fold(own) !== fold(operand)),
  startsWith: first((own, operand) => own.startsWith(operand)),
  endsWith: first((own, operand) => own.endsWith(operand)),
  contains: first((own, operand) => own.includes(operand)),
  notContains: first((own, operand) => !own.includes(operand)),
  containsi: first((own, operand) => fold(own).includes(fold(operand))),
  notContainsi: first((own, operand) => !fold(own).includes(fold(operand))),
  gt: ordered((own, operand) => own > operand),
  gte: ordered((own, operand) => own >= operand),
  lt: ordered((own, operand) => own < operand),
  lte: ordered((own, operand) => own <= operand),
  // A locale lacks nothing.
  null: (_own, _operands, given) => given === false,
  notNull: (_own, _operands, given) => given === true,
  in: (own, operands) => operands.includes(own),
  notIn: (own, operands) => !operands.includes(own),
  between: (own, [low, high]) => low !== undefined && high !== undefined && own >= low && own <= high,
} as const satisfies Record<string, Match>

/** Ids as numbers and moments as milliseconds, so that they compare as what they are. */
function plainOf(key: Key, value: unknown): Plain {
  if (key === 'id') return Number(value)
  return key === 'name' || key === 'code' ? String(value) : Date.parse(String(value))
}

/** Case is that of ASCII letters, as in every filter. */
function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

function sorted(locales: readonly Locale[], sort: unknown): readonly Locale[] {
  const keys = listOf(sort).flatMap((text) => (typeof text === 'string' ? parseSortText(text) : []))
  const names = keys.map(({ path, descending }) => ({ key: sortKeyOf(path), descending }))
  return [...locales].sort((a, b) => {
    for (const { key, descending } of names) {
      const [one, other] = [plainOf(key, a[key]), plainOf(key, b[key])]
      if (one !== other) return (one < other ? -1 : 1) * (descending ? -1 : 1)
    }
    return a.id - b.id
  })
}

function sortKeyOf(path: readonly string[]): Key {
  const name = path.join('.')
  if (name === 'id' || name === 'name' || name === 'code' || name === 'createdAt' || name === 'updatedAt')
    return name
  throw invalidParameter(name)
}

/** All of them unless a page is asked for: there are never many. */
function windowOf(
  { page, pageSize, start, limit }: Readonly<Record<string, unknown>>,
  total: number,
): { readonly start: number; readonly size: number } {
  const byPage = isGiven(page) || isGiven(pageSize)
  if (byPage && (isGiven(start) || isGiven(limit)))
    throw new ApiError('PaginationError', 'Cannot use both page & offset pagination in the same query')
  const asked = byPage ? pageSize : limit
  const size = Math.max(1, isGiven(asked) && asked !== -1 ? Number(asked) : total)
  const from = byPage ? (Math.max(1, Number(page ?? 1)) - 1) * size : Math.max(0, Number(start ?? 0))
  return { start: from, size }
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
