// fields -> names (BEHAVIOUR 5): one name or a list; unlike sort and populate, commas do not separate.

import { ApiError } from '../errors/api-error.ts'
import type { QueryValue } from './query-string.ts'

export function parseFields(value: QueryValue): readonly string[] {
  const elements: readonly QueryValue[] =
    typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  const names = elements.map((element) => (typeof element === 'string' ? element.trim() : ''))
  if (names.length === 0 || names.includes('')) {
    throw new ApiError(
      'ValidationError',
      'Invalid fields parameter. Expected a string or an array of strings',
    )
  }
  return names
}
