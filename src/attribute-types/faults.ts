// Formats messages about invalid values in Strapi's words.

import { ApiError } from '../lib/errors/api-error.ts'
import type { CheckResult, ScalarFault, ScalarValue } from './attribute-type.ts'
import { formatValue } from './shown-value.ts'

export function good(value: ScalarValue): CheckResult {
  return { value, faults: [] }
}

export function bad(...faults: ScalarFault[]): CheckResult {
  return { value: null, faults }
}

/** Shows the value as Strapi does, unless it is secret. */
export function describeWrongType(label: string, type: string, value: unknown, secret = false): string {
  const hidden = secret && value !== null
  return `${label} must be a \`${type}\` type, but the final value was: \`${hidden ? '***' : formatValue(value)}\`.`
}

export function createInvalidValue(name: string, expected: string): ApiError {
  return new ApiError('ValidationError', `Invalid value for ${name}: expected ${expected}`)
}
