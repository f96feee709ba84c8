// Finds the caller of a request and checks its permissions.

import type { Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { PathParameters } from '../http/route.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { BindablePermissions } from './bind-permissions.ts'
import type { AdmitCaller } from './caller-limit.ts'
import { explainMissingPermission, loginNeeded } from './explain-refusal.ts'
import type { Principal } from './principal.ts'
import { getRoleSource } from './principal.ts'

export type GuardedHandler = (
  request: HttpRequest,
  parameters: PathParameters,
  principal: Principal,
) => Reply | Promise<Reply>

export type Requirement =
  /** Requires no permission; an invalid token is still refused. */
  | { readonly kind: 'nothing' }
  /** Any authenticated caller. */
  | { readonly kind: 'somebody' }
  | { readonly kind: 'all'; readonly actions: readonly string[] }

export interface Guard {
  /** Throws UnauthorizedError for an invalid token. */
  getPrincipal(request: HttpRequest): Principal | Promise<Principal>
  /** Returns the caller without counting a request against the limits, for checks during a long response. */
  getCaller(request: HttpRequest): Principal | Promise<Principal>
  /** Sets the caller of a request that has no token to check, such as an operation of a batch. */
  actAs(request: HttpRequest, principal: Principal): void
  /** Sets the token of a request that sends none itself, such as one with the session of the console. */
  carryToken(request: HttpRequest, token: string): void
  /** `now`: the request as code has changed it; it keeps the caller of `actAs` and the token of `carryToken`. */
  passOn(request: HttpRequest, now: HttpRequest): void
  /** `operation`: that of the handler, if it has another name than the permission. */
  protect(
    required: string | Requirement,
    handler: GuardedHandler,
    operation?: string,
  ): (request: HttpRequest, parameters: PathParameters) => Reply | Promise<Reply>
}

const BEARER = /^Bearer +(\S.*)$/i

export interface GuardOptions {
  /** The permissions of callers without a token. */
  readonly nobody: BindablePermissions
  readonly strategies: readonly AuthStrategy[]
  readonly onCaller?: ((request: HttpRequest, principal: Principal) => void) | undefined
  readonly admit?: AdmitCaller | undefined
}

export function createGuard({ nobody, strategies, onCaller, admit }: GuardOptions): Guard {
  const source = getRoleSource('public')
  const known = new WeakMap<HttpRequest, Principal>()
  const carried = new WeakMap<HttpRequest, string>()
  let last: Principal | undefined

  function getToken(request: HttpRequest): string | undefined {
    return carried.get(request) ?? BEARER.exec(request.header('authorization') ?? '')?.[1]
  }

  function anonymous(): Principal {
    const permissions = nobody.bind()
    if (last?.permissions !== permissions) last = { kind: 'public', name: 'public', permissions, source }
    return last
  }

  async function admitted(token: string, request: HttpRequest): Promise<Principal> {
    const principal = await authenticate(token, request)
    onCaller?.(request, principal)
    await admit?.(request.address, principal)
    return principal
  }

  async function authenticate(token: string, request: HttpRequest): Promise<Principal> {
    for (const strategy of strategies) {
      const principal = await strategy.authenticate(token, request)
      if (principal !== undefined) return principal
    }
    // An invalid token is refused even on public routes.
    throw new ApiError('UnauthorizedError', 'Missing or invalid credentials')
  }

  function resolvePrincipal(request: HttpRequest): Principal | Promise<Principal> {
    const actor = known.get(request)
    if (actor !== undefined) return actor
    const token = getToken(request)
    // Stays synchronous, so that the whole request can be answered in one turn.
    if (token !== undefined) return admitted(token, request)
    const principal = anonymous()
    if (onCaller !== undefined) onCaller(request, principal)
    if (admit === undefined) return principal
    return admit(request.address, principal)?.then(() => principal) ?? principal
  }

  function assertMeets(required: Requirement, principal: Principal): void {
    if (required.kind === 'nothing') return
    if (required.kind === 'somebody') {
      if (principal.kind === 'public') throw forbidden().because(loginNeeded)
      return
    }
    for (const action of required.actions) {
      if (principal.permissions.can(action)) continue
      throw forbidden().because(explainMissingPermission(action, principal))
    }
  }

  return {
    getPrincipal: resolvePrincipal,
    actAs: (request, principal) => void known.set(request, principal),
    carryToken: (request, token) => void carried.set(request, token),
    passOn(request, now) {
      const actor = known.get(request)
      if (actor !== undefined) known.set(now, actor)
      const token = carried.get(request)
      if (token !== undefined) carried.set(now, token)
    },
    getCaller(request) {
      const token = getToken(request)
      return token === undefined ? anonymous() : authenticate(token, request)
    },
    protect(required, handler) {
      const requirement: Requirement =
        typeof required === 'string' ? { kind: 'all', actions: [required] } : required
      const run = (
        request: HttpRequest,
        parameters: PathParameters,
        principal: Principal,
      ): Reply | Promise<Reply> => {
        assertMeets(requirement, principal)
        return handler(request, parameters, principal)
      }
      return (request, parameters) => {
        const principal = resolvePrincipal(request)
        return principal instanceof Promise
          ? principal.then((known) => run(request, parameters, known))
          : run(request, parameters, principal)
      }
    },
  }
}

function forbidden(): ApiError {
  return new ApiError('ForbiddenError', 'Forbidden')
}

export interface AuthStrategy {
  /**
   * Returns undefined if the token does not belong to this strategy. Throws UnauthorizedError if it does and
   * is invalid.
   */
  authenticate(token: string, request: HttpRequest): Principal | undefined | Promise<Principal | undefined>
}
