// An urlencoded form -> an object, with the bracket syntax of query strings and strict limits.

import qs from 'qs'
import { ApiError } from '../errors/api-error.ts'

/** Throws BadRequestError beyond the limits: what qs would drop or fold silently is refused. */
export function parseForm(text: string): unknown {
  try {
    return qs.parse(text, {
      depth: 20,
      strictDepth: true,
      parameterLimit: 1000,
      arrayLimit: 100,
      throwOnLimitExceeded: true,
      plainObjects: true,
      duplicates: 'combine',
    })
  } catch (error) {
    if (error instanceof RangeError)
      throw new ApiError('BadRequestError', 'the form has too many or too deep fields')
    throw error
  }
}
