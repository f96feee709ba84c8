// fields -> names: one name or a list; unlike sort and populate, commas do not separate.

import { ApiError } from '../errors/api-error.ts'
import type { QueryValue } from './query-string.ts'

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
