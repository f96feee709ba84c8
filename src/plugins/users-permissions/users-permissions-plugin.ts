// The users-permissions plugin: users, roles, logins (spec 5.3, 5.4; BEHAVIOUR 11).

import { createUserTokens } from '../../auth/json-web-token.ts'
import { invariant } from '../../errors/invariant.ts'
import type { Activation, Plugin, PluginContext } from '../plugin.ts'
import { createAccounts } from './accounts.ts'
import { ROLE, USER, usersPermissionsContribution } from './content-types.ts'
import { parseOptions, type UsersPermissionsOptions } from './options.ts'
import { syncRoles } from './sync-roles.ts'
import { createUserStrategy } from './user-strategy.ts'

export const usersPermissionsPlugin: Plugin = {
  name: 'users-permissions',
  enable(settings) {
    const options = parseOptions(settings)
    return {
      contribution: usersPermissionsContribution,
      activate: (context) => activate(options, settings.whole.auth.roles, context),
    }
  },
}

function activate(
  options: UsersPermissionsOptions,
  roles: Parameters<typeof syncRoles>[2],
  context: PluginContext,
): Activation {
  const { content, model, now, permissionsOf } = context
  const userType = model.contentTypes.get(USER)
  const roleType = model.contentTypes.get(ROLE)
  invariant(userType !== undefined && roleType !== undefined, 'the plugin contributed its content-types')
  const accounts = createAccounts(content, userType)
  const tokens = createUserTokens({ secrets: options.jwtSecrets, lifetime: options.jwtLifetime, now })
  const { emailConfirmation } = options
  return {
    strategies: [createUserStrategy({ accounts, tokens, emailConfirmation, permissionsOf })],
    prepare: () => syncRoles(content, roleType, roles),
  }
}
