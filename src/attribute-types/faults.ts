// Messages about invalid values that several types use, in Strapi's words.

import { ApiError } from '../lib/errors/api-error.ts'
import type { CheckResult, ScalarFault, ScalarValue } from './attribute-type.ts'
import { shownValue } from './shown-value.ts'

export function good(value: ScalarValue): CheckResult {
  return { value, faults: [] }
}

export function bad(...faults: ScalarFault[]): CheckResult {
  return { value: null, faults }
}

/** The sentence for a value of the wrong type, with the value shown as Strapi shows it, unless it is secret. */
export function wrongType(label: string, type: string, value: unknown, secret = false): string {
  const hidden = secret && value !== null
  return `${label} must be a \`${type}\` type, but the final value was: \`${hidden ? '***' : shownValue(value)}\`.`
}

/** The error for an invalid value in a filter. */
export function invalidValue(name: string, expected: string): ApiError {
  return new ApiError('ValidationError', `Invalid value for ${name}: expected ${expected}`)
}
