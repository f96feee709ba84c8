// The cursor of `pagination[after]`: a hash of the query, and the last entry's sort values. It grants no
// access.

import { createHash } from 'node:crypto'
import { ApiError } from '../lib/errors/api-error.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from './params.ts'
import type { SortKey } from './read-plan.ts'

/** Characters; it must fit into a request line. */
const MAX_CURSOR_LENGTH = 6000

export function buildQueryMark(type: ContentType, params: Params, sort: readonly SortKey[]): string {
  const { filters, search, locale, publicationState } = params
  const keys = sort.map(({ attribute, descending }) => [attribute.name, descending])
  const text = JSON.stringify([type.uid, filters ?? null, keys, search, locale, publicationState])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

export function formatCursor(mark: string, values: readonly string[]): string {
  const cursor = Buffer.from(`["${mark}",${values.join(',')}]`).toString('base64url')
  if (cursor.length > MAX_CURSOR_LENGTH)
    throw refusal(
      'the entries are sorted by a text that is too long to go on behind; sort by another attribute',
    )
  return cursor
}

export function parseCursor(cursor: string, mark: string, count: number): readonly unknown[] {
  if (cursor.length > MAX_CURSOR_LENGTH || !/^[A-Za-z0-9_-]+$/.test(cursor)) throw malformed()
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw malformed()
  }
  if (!Array.isArray(parsed)) throw malformed()
  const [given, ...values] = parsed as unknown[]
  if (given !== mark)
    throw refusal('the cursor belongs to another query: send it with the same filters and sort')
  if (values.length !== count) throw malformed()
  return values
}

function malformed(): ApiError {
  return refusal('expected a cursor from meta.pagination.next, or nothing for the first entries')
}

export function refusal(reason: string): ApiError {
  return new ApiError('ValidationError', `Invalid pagination parameter after: ${reason}`)
}
