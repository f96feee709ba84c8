// Checks that roles and user attributes in the settings exist, and that the file's users are unique.

import { implicitRoles } from '../../access/permissions.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import { type CheckContext, formatSuggestion, isPluginOn } from '../../model/checking.ts'
import { USER } from './content-types.ts'

export function checkModel(checking: CheckContext): void {
  checkDefaultRole(checking)
  checkRegisterFields(checking)
  checkUsers(checking)
}

function listRoles({ config }: CheckContext): ReadonlySet<string> {
  return new Set([...implicitRoles, ...Object.keys(config.auth.roles)])
}

function checkRole(role: string, path: DiagnosticPath, checking: CheckContext): void {
  const roles = listRoles(checking)
  if (roles.has(role)) return
  checking.fault('MOD061', path, `unknown role "${role}"`, {
    help: formatSuggestion(didYouMean(role, roles), roles),
  })
}

function checkDefaultRole(checking: CheckContext): void {
  if (!isPluginOn(checking, 'users-permissions')) return
  const advanced = checking.config.plugins['users-permissions']?.config['advanced']
  if (typeof advanced !== 'object' || advanced === null || !('default_role' in advanced)) return
  const role = advanced.default_role
  if (typeof role !== 'string') return
  checkRole(role, ['plugins', 'users-permissions', 'config', 'advanced', 'default_role'], checking)
}

function checkRegisterFields({ config, sources, fault }: CheckContext): void {
  const type = sources.types.get(USER)
  const register = config.plugins['users-permissions']?.config['register']
  const allowed = isRecord(register) ? register['allowedFields'] : undefined
  if (type === undefined || !Array.isArray(allowed)) return
  const names = type.attributes.map(({ name }) => name)
  for (const [index, name] of allowed.map(String).entries()) {
    if (names.includes(name)) continue
    const path = ['plugins', 'users-permissions', 'config', 'register', 'allowedFields', index]
    fault('MOD081', path, `${type.uid} has no attribute "${name}"`, {
      help: formatSuggestion(didYouMean(name, names), names),
    })
  }
}

/** Users are compared without regard to case. */
function checkUsers(checking: CheckContext): void {
  const { config, sources, fault } = checking
  const { users } = config.auth
  if (users.length === 0) return
  const type = sources.types.get(USER)
  if (type === undefined) {
    fault('MOD063', ['auth', 'users'], 'users need the users-permissions plugin, which is switched off', {
      at: 'key',
      help: 'enable it with "plugins: { users-permissions: true }"',
    })
    return
  }
  const seen = { username: new Set<string>(), email: new Set<string>() }
  for (const [index, user] of users.entries()) {
    const path = ['auth', 'users', index]
    for (const key of ['username', 'email'] as const) {
      const value = user[key]
      if (typeof value !== 'string') continue
      if (seen[key].has(value.toLowerCase())) {
        fault('MOD064', [...path, key], `there is already a user with the ${key} "${value}"`)
      }
      seen[key].add(value.toLowerCase())
    }
  }
}
