// The step of the pipeline that answers a read from the cache, which takes neither a plan nor a read, or makes the response and
// caches it if it is asked for again (decision 0008).

import type { Permissions } from '../access/principal.ts'
import { isPromise, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Version } from '../query/dependencies.ts'
import { isCustomized } from './request-additions.ts'
import type { ResponseCache } from './response-cache.ts'

/** A response that is planned. */
interface PlannedResponse {
  /** The version of its dependencies. */
  readonly dependencies: Version
  run(): Reply | Promise<Reply>
}

/** `isCacheable`: whether the query decides the form of the response. */
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
    const headers = cacheControl.headersFor(request)
    return isPromise(reply) ? reply.then((later) => ({ ...later, headers })) : { ...reply, headers }
  }

  return (request, caller, isCacheable, plan) => {
    // Users' middlewares read and change the response itself; what belongs to one request is not asked for again.
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
  /** Tells apart the queries of callers who get other headers. */
  mark(request: HttpRequest): string
}

/**
 * The file's `Cache-Control` for callers without authorization; the responses to others may be theirs alone. Undefined:
 * responses say nothing about caches.
 */
function getCacheControl({ rest, document }: ContentType): CacheControl | undefined {
  const { cacheControl } = rest
  if (cacheControl === undefined) return undefined
  const vary = document === undefined ? 'Authorization' : 'Authorization, Strapi-Response-Format'
  const open = { 'cache-control': cacheControl, vary }
  // A browser may keep it, but asks each time: the right to see it may end, and its `ETag` makes asking cheap.
  const own = { 'cache-control': 'private, no-cache', vary }
  const isOwn = (request: HttpRequest): boolean => request.header('authorization') !== undefined
  return {
    headersFor: (request) => (isOwn(request) ? own : open),
    // No query string has a space.
    mark: (request) => (isOwn(request) ? ' authorized' : ''),
  }
}
