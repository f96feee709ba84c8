// The `Cache-Control` of a content-type's reads: the file's for callers without authorization; what others are shown may be
// theirs alone.

import type { HttpRequest } from '../http/request.ts'
import type { ContentType } from '../model/content-type.ts'

export type CacheHeaders = Readonly<Record<string, string>>

export interface CacheControl {
  of(request: HttpRequest): CacheHeaders
  /** What tells apart the questions of callers with other headers. */
  mark(request: HttpRequest): string
}

/** Undefined: answers say nothing about caches. */
export function cacheControlOf({ rest, document }: ContentType): CacheControl | undefined {
  const { cacheControl } = rest
  if (cacheControl === undefined) return undefined
  const vary = document === undefined ? 'Authorization' : 'Authorization, Strapi-Response-Format'
  const open = { 'cache-control': cacheControl, vary }
  // A browser may keep it, but asks each time: the right to see it may end, and its `ETag` makes asking cheap.
  const own = { 'cache-control': 'private, no-cache', vary }
  const isOwn = (request: HttpRequest): boolean => request.header('authorization') !== undefined
  return {
    of: (request) => (isOwn(request) ? own : open),
    // No query string has a space.
    mark: (request) => (isOwn(request) ? ' authorized' : ''),
  }
}
