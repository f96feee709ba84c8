// Who asks -> may they? (spec 1.4, 5.4). What nobody was given permission for is forbidden to everybody.

import { ApiError } from '../errors/api-error.ts'
import type { Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { PathParameters } from '../http/route.ts'
import type { Permissions, Principal } from './principal.ts'
import type { AuthStrategy } from './strategy.ts'

export type GuardedHandler = (
  request: HttpRequest,
  parameters: PathParameters,
  principal: Principal,
) => Reply | Promise<Reply>

export interface Guard {
  /** A handler that runs only for callers who have the permission `action`. */
  protect(
    action: string,
    handler: GuardedHandler,
  ): (request: HttpRequest, parameters: PathParameters) => Reply | Promise<Reply>
}

const BEARER = /^Bearer +(\S.*)$/i

export function createGuard(publicPermissions: Permissions, strategies: readonly AuthStrategy[]): Guard {
  const anonymous: Principal = { kind: 'public', permissions: publicPermissions }

  async function authenticate(token: string, request: HttpRequest): Promise<Principal> {
    for (const strategy of strategies) {
      const principal = await strategy.authenticate(token, request)
      if (principal !== undefined) return principal
    }
    // A bad token is refused even where the public may enter (BEHAVIOUR 11.1).
    throw new ApiError('UnauthorizedError', 'Missing or invalid credentials')
  }

  return {
    protect(action, handler) {
      const run = (
        request: HttpRequest,
        parameters: PathParameters,
        principal: Principal,
      ): Reply | Promise<Reply> => {
        if (!principal.permissions.can(action)) throw new ApiError('ForbiddenError', 'Forbidden')
        return handler(request, parameters, principal)
      }
      return (request, parameters) => {
        const token = BEARER.exec(request.header('authorization') ?? '')?.[1]
        // Without a token nothing is waited for: the whole request can be answered in one go.
        if (token === undefined) return run(request, parameters, anonymous)
        return authenticate(token, request).then((principal) => run(request, parameters, principal))
      }
    },
  }
}
