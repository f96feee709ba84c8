// Parses a query string into nested texts, lists and nulls; input that qs would drop or rearrange is a 400.

import { ApiError } from '../lib/errors/api-error.ts'
import { bracketLimits, parseBrackets } from '../lib/parse-brackets.ts'

export type QueryValue = string | null | readonly QueryValue[] | { readonly [key: string]: QueryValue }

export type ParsedQuery = { readonly [key: string]: QueryValue }

const MAX_LIST_LENGTH = 1000

const EMPTY: ParsedQuery = Object.freeze(Object.create(null))

/** `strictMerge`: as the qs of Strapi 5, `a[b]=c&a=d` is a list of both; the one of Strapi 4 adds a key `d` to the map. */
export function parseQueryString(query: string, strictMerge = true): ParsedQuery {
  if (query === '') return EMPTY
  let parsed: unknown
  try {
    parsed = parseBrackets(query, { arrayLimit: MAX_LIST_LENGTH, strictNullHandling: true, strictMerge })
  } catch (error) {
    throw new ApiError('ValidationError', `Invalid query string: ${getReason(error)}`)
  }
  return normalized(parsed, 0) as ParsedQuery
}

function getReason(error: unknown): string {
  const reason = error instanceof Error ? error.message : ''
  if (/depth/i.test(reason)) return `at most ${bracketLimits.depth} levels of brackets are allowed`
  if (/parameter/i.test(reason)) return `at most ${bracketLimits.parameters} parameters are allowed`
  return `at most ${MAX_LIST_LENGTH} elements of a list are allowed`
}

/** An object becomes a list if all its keys are indexes, unlike in `a[5]=x&a[b]=y`. */
function normalized(value: unknown, depth: number): QueryValue {
  if (value === null || value === undefined) return null
  if (Array.isArray(value))
    return value.filter((element) => element !== undefined).map((element) => normalized(element, depth + 1))
  if (typeof value !== 'object') {
    const text = String(value)
    if (text.includes('\0'))
      throw new ApiError('ValidationError', 'Invalid query string: NUL characters are not allowed')
    return text
  }
  const entries = Object.entries(value)
  if (depth > 0 && entries.length > 0 && entries.every(([key]) => /^\d{1,10}$/.test(key))) {
    const indexes = entries.map(([key]) => Number(key))
    if (Math.max(...indexes) >= MAX_LIST_LENGTH) {
      throw new ApiError('ValidationError', `Invalid query string: ${getReason(undefined)}`)
    }
    return entries
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, element]) => normalized(element, depth + 1))
  }
  const object = Object.create(null) as Record<string, QueryValue>
  for (const [key, element] of entries) object[key] = normalized(element, depth + 1)
  return object
}

export function isQueryObject(
  value: QueryValue | undefined,
): value is { readonly [key: string]: QueryValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
