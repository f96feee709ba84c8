// Tokens with which the program that embeds the CMS makes requests as a role, without a user. Only its process knows
// them; a server has none.

import { randomBytes } from 'node:crypto'
import { ApiError } from '../errors/api-error.ts'
import type { BindablePermissions } from './bind-permissions.ts'
import type { AuthStrategy } from './guard.ts'
import { sourceOfRole } from './principal.ts'

export interface RoleTokens {
  /** The same token at each call. */
  tokenOf(role: string): string
  roleOf(token: string): string | undefined
}

export function createRoleTokens(): RoleTokens {
  const tokens = new Map<string, string>()
  const roles = new Map<string, string>()
  return {
    tokenOf(role) {
      const known = tokens.get(role)
      if (known !== undefined) return known
      const token = randomBytes(32).toString('base64url')
      tokens.set(role, token)
      roles.set(token, role)
      return token
    },
    roleOf: (token) => roles.get(token),
  }
}

/** `permissions`: those of each role that the file declares. */
export function createRoleStrategy(
  tokens: RoleTokens,
  permissions: ReadonlyMap<string, BindablePermissions>,
): AuthStrategy {
  return {
    name: 'role-token',
    authenticate(token) {
      const role = tokens.roleOf(token)
      if (role === undefined) return undefined
      const found = permissions.get(role)
      // A reload may have removed it.
      if (found === undefined) throw new ApiError('UnauthorizedError', `The file declares no role "${role}"`)
      return {
        kind: 'api-token',
        name: `role ${role}`,
        permissions: found.bind(),
        source: sourceOfRole(role),
      }
    },
  }
}
