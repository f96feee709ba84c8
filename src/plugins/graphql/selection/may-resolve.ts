// Whether a caller may have a field resolved.

import type { Principal } from '../../../auth/principal.ts'
import { ApiError } from '../../../errors/api-error.ts'
import type { GraphqlAuth } from '../../graphql-extension.ts'

export function mayResolve(auth: GraphqlAuth | undefined, principal: Principal): boolean {
  if (auth === undefined || auth === false) return true
  return auth.scope.every((action) => principal.permissions.can(action))
}

/** Throws ForbiddenError. */
export function assertMayResolve(auth: GraphqlAuth | undefined, principal: Principal): void {
  if (!mayResolve(auth, principal)) throw new ApiError('ForbiddenError', 'Forbidden access')
}
