// What an operation was refused by as a whole, where nothing of it was done because there was too much of it: clients and
// proxies are told by the status, as over REST, and by when to try again.

import type { GraphQLError } from 'graphql'
import { ApiError, type ApiErrorName } from '../../../errors/api-error.ts'
import { faultOf } from './format-error.ts'

const TOO_MUCH: ReadonlySet<string> = new Set<ApiErrorName>(['RateLimitError', 'ServiceUnavailableError'])

/** `answered`: whether any field of the root has a value; then it was not refused as a whole. */
export function refusalOf(answered: boolean, errors: readonly GraphQLError[]): ApiError | undefined {
  if (answered) return undefined
  for (const error of errors) {
    const fault = faultOf(error)
    if (fault instanceof ApiError && TOO_MUCH.has(fault.name)) return fault
  }
  return undefined
}
