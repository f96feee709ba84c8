// A user's token -> the user as a principal, asked of the database at every request: who was blocked, deleted or has
// a new password is out at once (RELIABILITY C11 to C14; BEHAVIOUR 11.1, 11.10).

import type { UserTokens } from '../../auth/json-web-token.ts'
import type { Permissions } from '../../auth/principal.ts'
import type { AuthStrategy } from '../../auth/strategy.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Accounts } from './accounts.ts'

export interface UserStrategyParts {
  readonly accounts: Accounts
  readonly tokens: UserTokens
  readonly emailConfirmation: boolean
  permissionsOf(role: string): Permissions | undefined
}

/** A role that the file no longer has allows nothing. */
const NOTHING: Permissions = { can: () => false, visible: () => false }

export function createUserStrategy(parts: UserStrategyParts): AuthStrategy {
  const { accounts, tokens, emailConfirmation, permissionsOf } = parts
  return {
    name: 'users-permissions',
    async authenticate(token) {
      const claims = await tokens.verify(token)
      if (claims === undefined) return undefined
      const user = await accounts.findStanding(claims.id)
      const refused =
        user === undefined ||
        user.blocked ||
        user.epoch !== claims.epoch ||
        (emailConfirmation && !user.confirmed)
      if (refused) throw new ApiError('UnauthorizedError', 'Invalid credentials')
      if (user.role === undefined) throw new ApiError('UnauthorizedError', 'Missing or invalid credentials')
      return { kind: 'user', id: user.id, permissions: permissionsOf(user.role) ?? NOTHING }
    },
  }
}
