// Turns a router into a handler: answers 404 for unknown paths and for GET on paths with other methods only, 405 and
// 501 with `Allow`, and OPTIONS.

import { ApiError } from '../errors/api-error.ts'
import type { Handler, Reply } from './reply.ts'
import type { Router } from './router.ts'

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Calls the route that matches; throws ApiError when none does. */
export function routeHandler(router: Router): Handler {
  return (request) => {
    const match = router.match(request.method, request.path)
    if (match.kind === 'found') return match.handler(request, match.parameters)
    if (request.method === 'OPTIONS')
      return optionsReply(match.kind === 'not-found' ? undefined : match.allow)
    if (match.kind === 'not-found') throw new ApiError('NotFoundError', 'Not Found')
    const headers = { allow: match.allow }
    // A GET of a path that has only routes for writes is a 404, as recorded.
    if (request.method === 'GET' || request.method === 'HEAD')
      throw new ApiError('NotFoundError', 'Not Found', {}, headers)
    if (!KNOWN_METHODS.has(request.method))
      throw new ApiError('NotImplementedError', 'Not Implemented', {}, headers)
    throw new ApiError('MethodNotAllowedError', 'Method Not Allowed', {}, headers)
  }
}

function optionsReply(allow: string | undefined): Reply {
  return { status: 200, headers: allow === undefined ? {} : { allow }, body: '' }
}
