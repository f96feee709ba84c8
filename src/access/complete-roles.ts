// Adds to each role the permissions of roles that it extends, and the default permissions of plugins.

import type { RoleConfig } from '../config/auth-config.ts'
import type { Config } from '../config/config.ts'
import { nameOfRole } from '../config/normalize.ts'
import type { ModelContribution } from '../model/contribution.ts'
import { listAncestors } from '../model/roles.ts'

type Roles = Config['auth']['roles']
type Permission = RoleConfig['permissions'][number]

/** `config` must have passed the checks of the model. */
export function completeRoles(config: Config, contributions: readonly ModelContribution[]): Config {
  const roles = withDefaults(config.auth.roles, contributions)
  const completed = Object.entries(roles).map(([type, { extends: _, ...role }]): [string, RoleConfig] => {
    const ancestors = listAncestors(type, roles).map((name) => roles[name])
    const permissions = [role, ...ancestors].flatMap((one) => one?.permissions ?? [])
    // Maps are not deduplicated, since rules of several permissions add up.
    return [type, { ...role, permissions: [...new Set(permissions)] }]
  })
  return { ...config, auth: { ...config.auth, roles: Object.fromEntries(completed) } }
}

/** A role gets a plugin's default permissions only if its own list has no permission of that plugin. */
function withDefaults(roles: Roles, contributions: readonly ModelContribution[]): Roles {
  const completed = { ...roles }
  for (const { plugin, permissions = {} } of contributions) {
    for (const [type, actions] of Object.entries(permissions)) {
      const role = completed[type] ?? { name: nameOfRole(type), description: '', permissions: [] }
      if (role.permissions.some((permission) => belongsTo(plugin, permission))) continue
      completed[type] = { ...role, permissions: [...role.permissions, ...actions] }
    }
  }
  return completed
}

function belongsTo(plugin: string, permission: Permission): boolean {
  const patterns = typeof permission === 'string' ? [permission] : Object.keys(permission)
  return patterns.some(
    (pattern) => pattern.startsWith(`plugin::${plugin}`) || pattern.startsWith('plugin::*'),
  )
}
