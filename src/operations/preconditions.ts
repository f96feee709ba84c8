// The versions that a request names: `If-Match` and `If-None-Match` of writes (RFC 9110, 13.1).

import type { HttpRequest } from '../http/request.ts'
import { ApiError, type ErrorItem } from '../lib/errors/api-error.ts'
import { parseVersionTag } from '../lib/version-tag.ts'
import { isUniqueFault } from '../write/writes/check-together.ts'
import type { Operation } from './operation.ts'

/** Undefined without a condition; `*` is met by every entry. A tag that is no version matches nothing. */
export function readVersions(request: HttpRequest): readonly number[] | undefined {
  const header = request.header('if-match')
  if (header === undefined || header.trim() === '*') return undefined
  return header.split(',').flatMap((tag) => parseVersionTag(tag) ?? [])
}

export function wantsNew(request: HttpRequest): boolean {
  return request.header('if-none-match')?.trim() === '*'
}

/** Throws PreconditionRequiredError where the file requires a version. `isNamed`: whether the caller names one. */
export function assertCondition({ type, action, output }: Operation, isNamed: boolean): void {
  if (type.concurrency !== 'required' || isNamed || action === 'create' || action === 'createMany') return
  const message =
    output === 'entries'
      ? `${type.uid} is written with the version of each entry: update and delete its entries one by one`
      : 'The request must name the version of the entry that it changes: send its ETag as If-Match'
  throw new ApiError('PreconditionRequiredError', message)
}

/** A create that is refused because of taken values fails the condition `If-None-Match: *`. */
export function throwAsCondition(error: unknown): never {
  if (!(error instanceof ApiError) || error.name !== 'ValidationError') throw error
  const { errors } = error.details
  const isTaken =
    Array.isArray(errors) && errors.length > 0 && (errors as readonly ErrorItem[]).every(isUniqueFault)
  throw isTaken ? new ApiError('PreconditionFailedError', error.message, error.details) : error
}
