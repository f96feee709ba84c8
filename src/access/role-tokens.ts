// Issues tokens with which the embedding program or the console acts as a role or API token.

import { randomBytes } from 'node:crypto'
import { ApiError } from '../lib/errors/api-error.ts'
import { isSameSecret } from '../lib/is-same-secret.ts'
import type { BindablePermissions } from './bind-permissions.ts'
import type { AuthStrategy } from './guard.ts'
import { fullAccess, getRoleSource } from './principal.ts'
import { deriveSecret } from './process-secret.ts'

export interface RoleTokens {
  getToken(role: string): string
  getRole(token: string): string | undefined
  standInFor(name: string): string
  standsFor(token: string): string | undefined
  /** For the console; the first call creates it. */
  everything(): string
  isEverything(token: string): boolean
}

export function createRoleTokens(): RoleTokens {
  const roles = createTokensByName()
  const standIns = createTokensByName()
  let everything: string | undefined
  return {
    getToken: roles.getToken,
    getRole: roles.nameOf,
    standInFor: standIns.getToken,
    standsFor: standIns.nameOf,
    everything() {
      everything ??= randomBytes(32).toString('base64url')
      return everything
    },
    isEverything: (token) => token === everything,
  }
}

function createTokensByName() {
  const tokens = new Map<string, string>()
  const names = new Map<string, string>()
  return {
    getToken(name: string): string {
      const known = tokens.get(name)
      if (known !== undefined) return known
      const token = randomBytes(32).toString('base64url')
      tokens.set(name, token)
      names.set(token, name)
      return token
    },
    nameOf: (token: string) => names.get(token),
  }
}

/** The tokens contain the role, signed with the secret that the workers share. */
export function createSharedRoleTokens(): RoleTokens {
  const roles = createSharedTokensByName('the role')
  const standIns = createSharedTokensByName('the API token')
  const everything = (): string => deriveSecret('the console')
  return {
    getToken: roles.tokenOf,
    getRole: roles.getName,
    standInFor: standIns.tokenOf,
    standsFor: standIns.getName,
    everything,
    isEverything: (token) => isSameSecret(token, everything()),
  }
}

function createSharedTokensByName(kind: string) {
  const getToken = (name: string): string =>
    `${Buffer.from(name).toString('base64url')}.${deriveSecret(`${kind} ${name}`)}`
  return {
    tokenOf: getToken,
    getName(token: string): string | undefined {
      const name = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
      return isSameSecret(token, getToken(name)) ? name : undefined
    },
  }
}

export function createRoleStrategy(
  tokens: RoleTokens,
  permissions: ReadonlyMap<string, BindablePermissions>,
): AuthStrategy {
  return {
    authenticate(token) {
      if (tokens.isEverything(token))
        return { kind: 'api-token', name: 'console', permissions: fullAccess, source: 'the console' }
      const role = tokens.getRole(token)
      if (role === undefined) return undefined
      const found = permissions.get(role)
      // A reload may have removed it.
      if (found === undefined) throw new ApiError('UnauthorizedError', `The file declares no role "${role}"`)
      return {
        kind: 'api-token',
        name: `role ${role}`,
        permissions: found.bind(),
        source: getRoleSource(role),
      }
    },
  }
}
