// Parses the query of a list without `meta` (users, files), which is complete without `limit`.

import { ApiError } from '../lib/errors/api-error.ts'
import type { ContentType } from '../model/content-type.ts'
import type { PaginationInput, Params } from '../plan/params.ts'
import { parseParams, type QueryRules } from './parse-params.ts'
import { createWithoutEffect } from './unused-parameters.ts'

/** With `strict: false` ignores `pagination`, `page` and `pageSize`, as Strapi does. */
export function parseFlatParams(query: string, rules: QueryRules, type: ContentType): Params {
  const { query: rest, pagination, unused } = splitPagination(query)
  if (rules.strict && unused !== undefined) throw createWithoutEffect(unused, PAGED)
  const params = parseParams(rest, rules, { type, place: 'list' })
  if (rules.strict && params.pagination !== undefined) throw createWithoutEffect('pagination', PAGED)
  return { ...params, pagination }
}

const PAGED = 'this list is paged by start and limit'

const PAGINATION = ['start', 'limit', 'page', 'pageSize']

function splitPagination(query: string): {
  readonly query: string
  readonly pagination: PaginationInput
  readonly unused: string | undefined
} {
  const given = new URLSearchParams(query)
  const unused = ['page', 'pageSize'].find((name) => given.has(name))
  const rest = query
    .split('&')
    .filter((pair) => !PAGINATION.includes(decoded(pair.split('=', 1)[0] ?? '')))
    .join('&')
  return {
    query: rest,
    unused,
    pagination: {
      kind: 'offset',
      start: wholeNumber(given, 'start', 0),
      limit: wholeNumber(given, 'limit', -1),
    },
  }
}

function decoded(name: string): string {
  return [...new URLSearchParams(name).keys()][0] ?? ''
}

function wholeNumber(given: URLSearchParams, name: string, standard: number): number {
  const text = given.get(name)
  if (text === null || text === '') return standard
  const number = Number(text)
  const unlimited = name === 'limit' && number === -1
  const least = name === 'limit' ? 1 : 0
  if (Number.isSafeInteger(number) && (number >= least || unlimited)) return number
  throw new ApiError('ValidationError', `Invalid pagination parameter ${name}: expected a whole number`)
}
