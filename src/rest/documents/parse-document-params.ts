// Parses the query string of a request to documents into Params.

import { ApiError } from '../../lib/errors/api-error.ts'
import { createInvalidKey } from '../../lib/errors/invalid-key.ts'
import type { Access } from '../../model/access.ts'
import type { ContentType } from '../../model/content-type.ts'
import {
  type PaginationInput,
  type Params,
  type PublicationFilter,
  publicationFilters,
} from '../../plan/params.ts'
import { type DeepRules, LEVEL_PARAMETERS, parseLevelParameters } from '../parse-deep.ts'
import { parseHighlights, parseSearch, parseSort } from '../parse-level.ts'
import { parseWithCount } from '../parse-pagination.ts'
import { parsePopulate } from '../parse-populate.ts'
import { isQueryObject, type ParsedQuery, type QueryValue } from '../query-string.ts'
import { createWithoutEffect } from '../unused-parameters.ts'
import { checkQuery, type IsUid } from './check-query.ts'
import { keepUsablePopulate, keepUsableSort } from './usable-query.ts'

export interface DocumentQueryRules extends DeepRules {
  /** Whether unknown top-level parameters are a 400. */
  readonly strict: boolean
  readonly defaultLimit: number
  readonly isUid: IsUid
}

interface DocumentParams extends Params {
  readonly publicationState: 'live' | 'draft'
}

const KNOWN: ReadonlySet<string> = new Set([
  ...['filters', 'sort', 'fields', 'populate', 'pagination', 'status', 'locale', '_q', '_highlight'],
  ...['publicationFilter', 'hasPublishedVersion'],
])

export function parseDocumentParams(
  parsed: ParsedQuery,
  type: ContentType,
  access: Access,
  rules: DocumentQueryRules,
  one = false,
): DocumentParams {
  const { strict, defaultLimit, isUid, populateDeep } = rules
  const isKnown = (key: string): boolean =>
    KNOWN.has(key) || (populateDeep !== undefined && LEVEL_PARAMETERS.has(key))
  for (const key of Object.keys(parsed)) {
    if (key === 'page' || key === 'pageSize') throw mixedPagination()
    if (strict && !isKnown(key)) throw createInvalidKey(key, [], key)
    if (strict && one && type.kind === 'collectionType' && (key === 'sort' || key === 'pagination'))
      throw createWithoutEffect(key, 'the request is for one document; remove it')
  }
  checkQuery(type, parsed, access, isUid)
  const { filters, sort, fields, populate, pagination, locale, _q: search, _highlight: highlights } = parsed
  const deep = populateDeep === undefined ? undefined : parseLevelParameters(parsed, populateDeep)
  const page = one ? undefined : parsePage(pagination, defaultLimit)
  return {
    ...(filters !== undefined && filters !== null && { filters }),
    ...(sort !== undefined && sort !== null && { sort: parseSort(keepUsableSort(sort)) }),
    ...(fields !== undefined && fields !== null && { fields: parseFieldList(fields) }),
    ...(populate !== undefined &&
      populate !== null && { populate: parsePopulate(keepUsablePopulate(type, populate, access)) }),
    ...(deep !== undefined && { populate: deep }),
    ...(page !== undefined && { pagination: page }),
    ...localeIn(locale, filters, strict),
    ...(search !== undefined && { search: parseSearch(search) }),
    ...(highlights !== undefined && { highlights: parseHighlights(highlights) }),
    ...parsePublicationFilter(parsed),
    publicationState: getState(parsed['status'], page !== undefined || !one),
  }
}

/** Strapi takes every other value for `draft`, so that a typing error shows drafts; here it is refused. */
function getState(status: QueryValue | undefined, ofList: boolean): 'live' | 'draft' {
  if (status === undefined || status === 'published' || (status === '' && ofList)) return 'live'
  if (status === 'draft') return 'draft'
  throw new ApiError(
    'ValidationError',
    `Invalid status. Expected one of 'draft','published' received: ${shown(status)}`,
  )
}

function shown(value: QueryValue): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)
}

/** The default locale, unless the parameter or a filter names one. */
function localeIn(
  locale: QueryValue | undefined,
  filters: QueryValue | undefined,
  strict: boolean,
): Pick<Params, 'locale'> {
  if (strict && typeof locale === 'string' && !['', '*'].includes(locale) && !isLanguageTag(locale))
    throw new ApiError(
      'ValidationError',
      "Invalid parameter at 'locale'. Locale must be a valid BCP 47 format (e.g. en, en-US, zh-Hans).",
      {},
    )
  if (locale === undefined || locale === null || locale === '')
    return isQueryObject(filters) && filters['locale'] !== undefined ? { locale: 'all' } : {}
  return { locale: locale === '*' ? 'all' : locale }
}

function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

function parsePublicationFilter({
  publicationFilter: filter,
  hasPublishedVersion: has,
}: {
  readonly [key: string]: QueryValue
}): Pick<Params, 'publicationFilters'> {
  const asked: PublicationFilter[] = []
  if (filter !== undefined) {
    const publicationFilter = publicationFilters.find((one) => one === filter)
    if (publicationFilter === undefined)
      throw new ApiError(
        'ValidationError',
        `Invalid value for 'publicationFilter'. Expected one of: ${publicationFilters.join(', ')}.`,
        { source: 'query', param: 'publicationFilter' },
      )
    asked.push(publicationFilter)
  }
  if (has !== undefined) {
    if (has !== 'true' && has !== 'false')
      throw new ApiError(
        'ValidationError',
        "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string.",
      )
    asked.push(has === 'true' ? 'has-published-version-document' : 'never-published-document')
  }
  return asked.length === 0 ? {} : { publicationFilters: asked }
}

/** The number of names in one list, as in Strapi. */
const MAX_FIELDS = 100

function parseFieldList(value: QueryValue): readonly string[] {
  const elements: readonly QueryValue[] =
    typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  if (
    elements.length === 0 ||
    elements.length > MAX_FIELDS ||
    !elements.every((element) => typeof element === 'string')
  ) {
    throw new ApiError(
      'ValidationError',
      'Invalid fields parameter. Expected a string or an array of strings',
    )
  }
  return elements.flatMap((element) => String(element).split(',')).map((name) => name.trim())
}

function mixedPagination(): ApiError {
  return new ApiError(
    'PaginationError',
    'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
  )
}

export function parsePage(value: QueryValue | undefined, defaultLimit: number): PaginationInput | undefined {
  if (!isQueryObject(value)) return undefined
  const given = (key: string): boolean => value[key] !== undefined
  const offsets = given('start') || given('limit')
  if (offsets && (given('page') || given('pageSize')))
    throw new ApiError('PaginationError', 'Cannot use both page & offset pagination in the same query')
  const count = value['withCount']
  const withCount = count === undefined ? {} : { withCount: parseWithCount(count) }
  if (offsets) {
    const start = getStart(value['start'])
    const limit = getSize(value['limit'])
    return {
      kind: 'offset',
      ...(start !== undefined && { start }),
      ...(limit !== undefined && { limit }),
      ...withCount,
    }
  }
  const pageSize = getSize(value['pageSize'])
  const page = getStart(value['page'], pageSize ?? defaultLimit)
  return {
    kind: 'page',
    ...(page !== undefined && { page }),
    ...(pageSize !== undefined && { pageSize }),
    ...withCount,
  }
}

/** A list of one number counts as that number. */
function getNumber(value: QueryValue): number {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value
  return typeof single === 'string' ? Number(single) : Number.NaN
}

/** A number below 0 counts as 0; a value that is not a whole number is refused. */
function getStart(value: QueryValue | undefined, pageSize?: number): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const number = getNumber(value)
  if (Number.isSafeInteger(number)) return Math.max(0, number)
  const start = pageSize === undefined ? number : (number - 1) * pageSize
  throw new ApiError('ValidationError', `convertStartQueryParams expected a positive integer got ${start}`)
}

/** A size below 1 counts as 1. */
function getSize(value: QueryValue | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  const number = getNumber(value)
  // A value that is not a number means no limit.
  if (Number.isNaN(number)) return Number.MAX_SAFE_INTEGER
  if (number === Number.POSITIVE_INFINITY) return Number.MAX_SAFE_INTEGER
  if (!Number.isSafeInteger(number) && number > 1)
    throw new ApiError('ValidationError', `convertLimitQueryParams expected a positive integer got ${number}`)
  return Math.max(1, Math.trunc(number))
}
