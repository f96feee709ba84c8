// What an operation was refused by as a whole, where nothing of it was done because there was too much of it: clients and
// proxies are told by the status, as over REST, and by when to try again.

import type { GraphQLError } from 'graphql'
import { ApiError, type ApiErrorName } from '../../../errors/api-error.ts'
import { faultOf } from './format-error.ts'

const TOO_MUCH: ReadonlySet<string> = new Set<ApiErrorName>(['RateLimitError', 'ServiceUnavailableError'])

/** Undefined where anything was answered. */
export function refusalOf(
  data: Readonly<Record<string, unknown>> | null | undefined,
  errors: readonly GraphQLError[],
): ApiError | undefined {
  if (Object.values(data ?? {}).some((value) => value !== null)) return undefined
  for (const error of errors) {
    const fault = faultOf(error)
    if (fault instanceof ApiError && TOO_MUCH.has(fault.name)) return fault
  }
  return undefined
}
