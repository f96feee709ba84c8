// The query of a REST request -> Params (spec 4.2; BEHAVIOUR 3 to 8). Syntax errors end here; names are the
// planner's business.

import { ApiError } from '../errors/api-error.ts'
import type { PaginationInput, Params } from '../plan/params.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { parseFields } from './parse-fields.ts'
import { parsePopulate } from './parse-populate.ts'
import { parsePublicationState } from './parse-publication-state.ts'
import { parseSort } from './parse-sort.ts'
import { isQueryObject, parseQueryString, type QueryValue } from './query-string.ts'

const KNOWN = ['filters', 'sort', 'fields', 'populate', 'pagination', 'publicationState', 'locale', '_q']
const TOP_LEVEL_PAGINATION = ['page', 'pageSize', 'start', 'limit']

export interface QueryRules {
  /** Unknown top-level parameters are a 400, else ignored as Strapi 4 does. */
  readonly strict: boolean
  /** One entry is asked for: `pagination` is not looked at (BEHAVIOUR 8.3). */
  readonly one?: boolean
}

export function parseParams(query: string, rules: QueryRules): Params {
  const parsed = parseQueryString(query)
  const params: { -readonly [K in keyof Params]: Params[K] } = {}
  for (const [key, value] of Object.entries(parsed)) {
    switch (key) {
      case 'filters':
        // `?filters` without a value asks for nothing (BEHAVIOUR 6.19).
        if (value !== null) params.filters = value
        break
      case 'sort':
        if (value !== null) params.sort = parseSort(value)
        break
      case 'fields':
        if (value !== null) params.fields = parseFields(value)
        break
      case 'populate':
        if (value !== null) params.populate = parsePopulate(value)
        break
      case 'pagination': {
        const pagination = rules.one === true ? undefined : parsePagination(value)
        if (pagination !== undefined) params.pagination = pagination
        break
      }
      case 'publicationState':
        params.publicationState = parsePublicationState(value)
        break
      case 'locale':
        params.locale = value
        break
      case '_q':
        params.search = parseSearch(value)
        break
      default:
        refuseUnknown(key, rules)
    }
  }
  return params
}

function refuseUnknown(key: string, rules: QueryRules): void {
  if (TOP_LEVEL_PAGINATION.includes(key)) {
    throw new ApiError(
      'PaginationError',
      'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
    )
  }
  if (!rules.strict) return
  const nearest = didYouMean(key, KNOWN)
  const hint = nearest === undefined ? `; valid are ${KNOWN.join(', ')}` : `, did you mean ${nearest}?`
  throw new ApiError('ValidationError', `Unknown query parameter ${key}${hint}`)
}

function parseSearch(value: QueryValue): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  throw new ApiError('ValidationError', 'Invalid parameter _q: expected text')
}

const PAGE_KEYS = ['page', 'pageSize']
const OFFSET_KEYS = ['start', 'limit']

function parsePagination(value: QueryValue): PaginationInput | undefined {
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
  if (offsets) {
    return { kind: 'offset', ...numberOf(value, 'start'), ...numberOf(value, 'limit'), ...withCount }
  }
  return { kind: 'page', ...numberOf(value, 'page'), ...numberOf(value, 'pageSize'), ...withCount }
}

/**
 * By JavaScript's rules for numbers; a page without a value is as if absent, and `Infinity` as a page size means no limit
 * of its own. A page or start below the first is the first; a size of nothing would show nothing, and is refused.
 */
function numberOf<K extends string>(
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

function parseWithCount(value: QueryValue): boolean {
  const withCount = WITH_COUNT.get(value)
  if (withCount === undefined) {
    throw new ApiError(
      'ValidationError',
      'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
    )
  }
  return withCount
}
