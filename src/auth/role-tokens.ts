// Tokens with which the program that embeds the CMS, or the console, makes requests as a role, without a user. Only this
// process knows them, and those who have the console's key; a server without a console has none.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../errors/api-error.ts'
import type { BindablePermissions } from './bind-permissions.ts'
import type { AuthStrategy } from './guard.ts'
import { fullAccess, sourceOfRole } from './principal.ts'
import { derivedSecret } from './process-secret.ts'

export interface RoleTokens {
  /** The same token at each call. */
  tokenOf(role: string): string
  roleOf(token: string): string | undefined
  /** A token that may do everything, for the console; there is none before it is asked for. */
  everything(): string
  isEverything(token: string): boolean
}

export function createRoleTokens(): RoleTokens {
  const tokens = new Map<string, string>()
  const roles = new Map<string, string>()
  let everything: string | undefined
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
    everything() {
      everything ??= randomBytes(32).toString('base64url')
      return everything
    },
    isEverything: (token) => token === everything,
  }
}

/** Tokens that every worker of a server knows: they hold the role, signed with the secret that the workers share. */
export function createSharedRoleTokens(): RoleTokens {
  const tokenOf = (role: string): string =>
    `${Buffer.from(role).toString('base64url')}.${derivedSecret(`the role ${role}`)}`
  const everything = (): string => derivedSecret('the console')
  return {
    tokenOf,
    roleOf(token) {
      const role = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
      return isSame(token, tokenOf(role)) ? role : undefined
    },
    everything,
    isEverything: (token) => isSame(token, everything()),
  }
}

function isSame(given: string, own: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(own)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** `permissions`: those of each role that the file declares. */
export function createRoleStrategy(
  tokens: RoleTokens,
  permissions: ReadonlyMap<string, BindablePermissions>,
): AuthStrategy {
  return {
    authenticate(token) {
      if (tokens.isEverything(token))
        return { kind: 'api-token', name: 'console', permissions: fullAccess, source: 'the console' }
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
