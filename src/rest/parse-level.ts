// Parses sort, fields and publicationState, at the top of a query or of a populated field, and the search at its top.

import { ApiError } from '../lib/errors/api-error.ts'
import type { SortInput } from '../plan/params.ts'
import { createInvalidOrder, isDescending, parseSortText } from '../plan/parse-sort-text.ts'
import type { QueryValue } from './query-string.ts'
import { isQueryObject } from './query-string.ts'

/** `a`, `a:desc,b`, lists of these, `{ a: 'desc' }`, nested objects. */
export function parseSort(value: QueryValue): readonly SortInput[] {
  if (typeof value === 'string') return parseSortText(value)
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((element) => parseSort(element))
  return isQueryObject(value) ? parseObject(value, []) : []
}

function parseObject(object: { readonly [key: string]: QueryValue }, above: readonly string[]): SortInput[] {
  return Object.entries(object).flatMap(([key, value]): readonly SortInput[] => {
    const path = [...above, ...key.split('.')]
    if (isQueryObject(value)) return parseObject(value, path)
    if (typeof value !== 'string') throw createInvalidOrder()
    return [{ path, descending: isDescending(value) }]
  })
}

/** Commas do not separate names, unlike in sort and populate. */
export function parseFields(value: QueryValue): readonly string[] {
  const elements: readonly QueryValue[] =
    typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  const isText = (element: QueryValue): element is string => typeof element === 'string'
  if (elements.length === 0 || value === '' || !elements.every(isText)) {
    throw new ApiError(
      'ValidationError',
      'Invalid fields parameter. Expected a string or an array of strings',
    )
  }
  return elements.map((element) => element.trim())
}

export function parsePublicationState(value: QueryValue): 'live' | 'preview' {
  if (value === 'live' || value === 'preview') return value
  throw new ApiError(
    'ValidationError',
    `Invalid publicationState. Expected one of 'preview','live' received: ${shown(value)}.`,
  )
}

function shown(value: QueryValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function parseSearch(value: QueryValue): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  throw new ApiError('ValidationError', 'Invalid parameter _q: expected text')
}

export function parseHighlights(value: QueryValue): boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  throw new ApiError('ValidationError', 'Invalid parameter _highlight: expected true or false')
}
