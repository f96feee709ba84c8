// The pipeline step that serves a read from the response cache.

import type { Permissions } from '../access/principal.ts'
import { isPromise, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Version } from '../query/dependencies.ts'
import { isCustomized } from './request-additions.ts'
import type { ResponseCache } from './response-cache.ts'

interface PlannedResponse {
  readonly dependencies: Version
  run(): Reply | Promise<Reply>
}

/** `isCacheable`: whether the query alone decides the form of the response. */
type CacheStep = (
  request: HttpRequest,
  caller: Permissions,
  isCacheable: boolean,
  plan: () => PlannedResponse,
) => Reply | Promise<Reply>

export function createCacheStep(type: ContentType, cache: ResponseCache): CacheStep {
  const cacheControl = getCacheControl(type)

  function run(request: HttpRequest, planned: PlannedResponse): Reply | Promise<Reply> {
    const reply = planned.run()
    if (cacheControl === undefined) return reply
    const own = cacheControl.headersFor(request)
    const withOwn = (made: Reply): Reply => ({ ...made, headers: { ...made.headers, ...own } })
    return isPromise(reply) ? reply.then(withOwn) : withOwn(reply)
  }

  return (request, caller, isCacheable, plan) => {
    // Users' middlewares may change the response; permissions of a single request never recur.
    if (!isCacheable || isCustomized(request) || !caller.isShared) return run(request, plan())
    const query = cacheControl === undefined ? request.query : request.query + cacheControl.mark(request)
    return cache.through({ request, caller, query }, (dependencies) => {
      const planned = plan()
      dependencies?.add(planned.dependencies)
      return run(request, planned)
    })
  }
}

interface CacheControl {
  headersFor(request: HttpRequest): Readonly<Record<string, string>>
  /** Keeps apart queries of callers who get different headers. */
  mark(request: HttpRequest): string
}

/** For callers without authorization; other responses may be private. */
function getCacheControl({ rest, document }: ContentType): CacheControl | undefined {
  const { cacheControl } = rest
  if (cacheControl === undefined) return undefined
  const vary = document === undefined ? 'Authorization' : 'Authorization, Strapi-Response-Format'
  const open = { 'cache-control': cacheControl, vary }
  // Revalidated each time: the caller's right may end, and its `ETag` makes this cheap.
  const own = { 'cache-control': 'private, no-cache', vary }
  const isOwn = (request: HttpRequest): boolean => request.header('authorization') !== undefined
  return {
    headersFor: (request) => (isOwn(request) ? own : open),
    // A query string contains no space.
    mark: (request) => (isOwn(request) ? ' authorized' : ''),
  }
}
