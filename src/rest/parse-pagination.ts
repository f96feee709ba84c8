// Parses `pagination` into the requested page or offset.

import { ApiError } from '../lib/errors/api-error.ts'
import type { NumberedPage, PaginationInput } from '../plan/params.ts'
import { isQueryObject, type ParsedQuery, type QueryValue } from './query-string.ts'

const PAGE_KEYS = ['page', 'pageSize']
const OFFSET_KEYS = ['start', 'limit']

interface PagedQuery {
  readonly query: ParsedQuery
  readonly pagination: NumberedPage | undefined
}

export function splitPagination(
  parsed: ParsedQuery,
  parse: (value: QueryValue) => PaginationInput | undefined = parsePagination,
): PagedQuery {
  const { pagination: value, ...query } = parsed
  const pagination = value === undefined ? undefined : parse(value)
  if (pagination === undefined || pagination.kind === 'after') return { query: parsed, pagination: undefined }
  return { query, pagination }
}

export function parsePagination(value: QueryValue): PaginationInput | undefined {
  if (!isQueryObject(value)) return undefined
  const keys = Object.keys(value)
  const pages = keys.some((key) => PAGE_KEYS.includes(key))
  const offsets = keys.some((key) => OFFSET_KEYS.includes(key))
  if (pages && offsets) {
    throw new ApiError(
      'ValidationError',
      'Invalid pagination parameters. Expected either start/limit or page/pageSize',
    )
  }
  const withCount = value['withCount'] === undefined ? {} : { withCount: parseWithCount(value['withCount']) }
  if (value['after'] !== undefined) return parseAfter(value, withCount)
  if (offsets) {
    return { kind: 'offset', ...getNumber(value, 'start'), ...getNumber(value, 'limit'), ...withCount }
  }
  return { kind: 'page', ...getNumber(value, 'page'), ...getNumber(value, 'pageSize'), ...withCount }
}

function parseAfter(
  value: { readonly [key: string]: QueryValue },
  withCount: { readonly withCount?: boolean },
): PaginationInput {
  const after = value['after'] ?? ''
  if (typeof after !== 'string' || value['page'] !== undefined || value['start'] !== undefined) {
    throw new ApiError(
      'ValidationError',
      'Invalid pagination parameters. Expected one after, and pageSize or limit beside it',
    )
  }
  const { limit, pageSize = limit } = { ...getNumber(value, 'pageSize'), ...getNumber(value, 'limit') }
  return { kind: 'after', after, ...(pageSize !== undefined && pageSize > 0 && { pageSize }), ...withCount }
}

/**
 * Reads numbers by JavaScript's rules. A page or start below the first means the first; a page size of
 * `Infinity` means no limit, and one below 1 is refused.
 */
function getNumber<K extends string>(
  object: { readonly [key: string]: QueryValue },
  key: K,
): { [key in K]?: number } {
  const given = object[key]
  const value = Array.isArray(given) && given.length === 1 ? given[0] : given
  const isSize = key === 'pageSize' || key === 'limit'
  if (value === undefined || (value === null && !isSize)) return {}
  const number = typeof value === 'string' ? Number(value) : Number.NaN
  const unlimited = number === Number.POSITIVE_INFINITY && key === 'pageSize'
  if (!unlimited && !Number.isSafeInteger(number)) {
    throw new ApiError('ValidationError', `Invalid pagination parameter ${key}: expected a whole number`)
  }
  if (isSize && number < 1 && !(key === 'limit' && number === -1)) {
    throw new ApiError('ValidationError', `Invalid pagination parameter ${key}: expected at least 1`)
  }
  return { [key]: unlimited ? Number.MAX_SAFE_INTEGER : number } as { [key in K]?: number }
}

const WITH_COUNT: ReadonlyMap<QueryValue, boolean> = new Map([
  ['t', true],
  ['1', true],
  ['true', true],
  ['f', false],
  ['0', false],
  ['false', false],
])

export function parseWithCount(value: QueryValue): boolean {
  const withCount = WITH_COUNT.get(value)
  if (withCount === undefined) {
    throw new ApiError(
      'ValidationError',
      'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
    )
  }
  return withCount
}
