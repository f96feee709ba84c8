// Authenticates a user by token and reads the user at every request, so that blocking, deletion or a new
// password takes effect at once.

import type { BindablePermissions } from '../../access/bind-permissions.ts'
import type { AuthStrategy } from '../../access/guard.ts'
import type { UserClaims, UserTokens } from '../../access/json-web-token.ts'
import { getRoleSource } from '../../access/principal.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { Accounts } from './accounts.ts'

interface UserStrategyOptions {
  readonly accounts: Accounts
  readonly tokens: UserTokens
  readonly emailConfirmation: boolean
  getPermissions(role: string): Promise<BindablePermissions>
}

export function createUserStrategy(options: UserStrategyOptions): AuthStrategy {
  const { accounts, tokens, emailConfirmation, getPermissions } = options
  return {
    async authenticate(token) {
      const claims = await tokens.verify(token)
      if (claims === undefined) return undefined
      const user = await accounts.findLoginState(claims.id)
      const refused =
        user === undefined ||
        user.blocked ||
        isEnded(claims, user.epoch) ||
        (emailConfirmation && !user.confirmed)
      if (refused) throw new ApiError('UnauthorizedError', 'Invalid credentials')
      if (user.role === undefined) throw new ApiError('UnauthorizedError', 'Missing or invalid credentials')
      const permissions = await getPermissions(user.role)
      return {
        kind: 'user',
        name: user.role,
        id: user.id,
        ...(claims.session !== undefined && { session: claims.session }),
        permissions: permissions.bind(await accounts.me(user.id, permissions.mePaths)),
        source: getRoleSource(user.role),
      }
    },
  }
}

/** This server's tokens contain their epoch; others contain only the second of issue. */
function isEnded({ epoch, issuedAt }: UserClaims, current: number): boolean {
  return epoch === undefined ? issuedAt < Math.floor(current / 1000) : epoch !== current
}
