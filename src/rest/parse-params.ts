// Parses a REST query string into Params and reports syntax errors; the planner checks names.

import { ApiError } from '../lib/errors/api-error.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params, PopulateInput } from '../plan/params.ts'
import { KNOWN_PARAMETERS, suggestParameter } from './misread-parameter.ts'
import { type DeepRules, parseDeepPopulate } from './parse-deep.ts'
import { parseFields, parseHighlights, parsePublicationState, parseSearch, parseSort } from './parse-level.ts'
import { parsePagination } from './parse-pagination.ts'
import { parsePopulate } from './parse-populate.ts'
import { type ParsedQuery, parseQueryString, type QueryValue } from './query-string.ts'
import { type QueryPlace, refuseUnused } from './unused-parameters.ts'

const TOP_LEVEL_PAGINATION = ['page', 'pageSize', 'start', 'limit']

export interface QueryRules extends DeepRules {
  /**
   * True: unknown top-level parameters, and those without an effect, are a 400. False: they are ignored, as
   * in Strapi 4.
   */
  readonly strict: boolean
}

interface QuerySubject {
  readonly type: ContentType
  readonly place: QueryPlace
}

export function parseParams(query: string, rules: QueryRules, subject?: QuerySubject): Params {
  return toParams(parseQueryString(query, false), rules, subject)
}

export function toParams(parsed: ParsedQuery, rules: QueryRules, subject?: QuerySubject): Params {
  if (rules.strict && subject !== undefined) refuseUnused(parsed, subject)
  const params: { -readonly [K in keyof Params]: Params[K] } = {
    withLocales: true,
    ignoresUnknown: !rules.strict,
  }
  for (const [key, value] of Object.entries(parsed)) {
    switch (key) {
      case 'filters':
        if (value !== null) params.filters = value
        break
      case 'sort':
        if (value !== null) params.sort = parseSort(value)
        break
      case 'fields':
        if (value !== null) params.fields = parseFields(value)
        break
      case 'populate':
        if (value !== null) params.populate = readPopulate(value, rules)
        break
      case 'pagination': {
        const isList = subject === undefined || subject.place === 'list' || subject.place === 'single'
        const pagination = isList ? parsePagination(value) : undefined
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
      case '_highlight':
        params.highlights = parseHighlights(value)
        break
      default:
        refuseUnknown(key, rules)
    }
  }
  return params
}

function readPopulate(value: QueryValue, { strict, populateDeep }: QueryRules): PopulateInput {
  const deep = populateDeep === undefined ? undefined : parseDeepPopulate(value, populateDeep)
  return deep ?? parsePopulate(value, !strict)
}

function refuseUnknown(key: string, rules: QueryRules): void {
  if (TOP_LEVEL_PAGINATION.includes(key)) {
    throw new ApiError(
      'PaginationError',
      'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
    ).because({ message: `write ${suggestParameter(key)} instead of ${key}` })
  }
  if (!rules.strict) return
  const meant = suggestParameter(key)
  const others = meant.startsWith('filters[') ? ` Valid are ${KNOWN_PARAMETERS.join(', ')}.` : ''
  throw new ApiError('ValidationError', `Unknown query parameter ${key}, did you mean ${meant}?${others}`)
}
