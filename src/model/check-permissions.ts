// Who may do what: permissions that name nothing, roles that do not exist, tokens and users that appear twice.

import type { DiagnosticPath } from '../errors/diagnostic.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { isRecord } from '../util/is-record.ts'
import { type Checking, suggestion } from './checking.ts'
import { isPluginEnabled } from './enabled-plugins.ts'
import { expandPermission, suggestPermission } from './permission-pattern.ts'

/** Roles of every project, declared or not. */
const implicitRoles = ['public', 'authenticated']

export function checkPermissions(checking: Checking): void {
  const { roles, apiTokens } = checking.config.auth
  for (const [role, { permissions }] of Object.entries(roles)) {
    checkPatterns(permissions, ['auth', 'roles', role, 'permissions'], checking)
  }
  for (const [index, { permissions }] of apiTokens.entries()) {
    checkPatterns(permissions ?? [], ['auth', 'apiTokens', index, 'permissions'], checking)
  }
  checkTokens(checking)
  checkDefaultRole(checking)
  checkRegisterFields(checking)
  checkUsers(checking)
}

/** Each pattern must mean at least one action. */
export function checkPatterns(
  patterns: readonly string[],
  path: DiagnosticPath,
  { actions, fault }: Pick<Checking, 'actions' | 'fault'>,
): void {
  for (const [index, pattern] of patterns.entries()) {
    if (expandPermission(pattern, actions).length > 0) continue
    fault('MOD060', [...path, index], `permission "${pattern}" names no action`, {
      help: suggestPermission(pattern, actions),
    })
  }
}

function checkTokens({ config, fault }: Checking): void {
  const names = new Set<string>()
  for (const [index, { name }] of config.auth.apiTokens.entries()) {
    if (names.has(name)) {
      fault('MOD062', ['auth', 'apiTokens', index, 'name'], `there is already an API token named "${name}"`)
    }
    names.add(name)
  }
}

function rolesOf({ config }: Checking): ReadonlySet<string> {
  return new Set([...implicitRoles, ...Object.keys(config.auth.roles)])
}

function checkRole(role: string, path: DiagnosticPath, checking: Checking): void {
  const roles = rolesOf(checking)
  if (roles.has(role)) return
  checking.fault('MOD061', path, `unknown role "${role}"`, {
    help: suggestion(didYouMean(role, roles), roles),
  })
}

function checkDefaultRole(checking: Checking): void {
  if (!isPluginEnabled(checking.config, 'users-permissions')) return
  const advanced = checking.config.plugins['users-permissions']?.config['advanced']
  if (typeof advanced !== 'object' || advanced === null || !('default_role' in advanced)) return
  const role = advanced.default_role
  if (typeof role !== 'string') return
  checkRole(role, ['plugins', 'users-permissions', 'config', 'advanced', 'default_role'], checking)
}

/** Attributes that a registration may set are attributes of users. */
function checkRegisterFields({ config, sources, fault }: Checking): void {
  const type = sources.types.get('plugin::users-permissions.user')
  const register = config.plugins['users-permissions']?.config['register']
  const allowed = isRecord(register) ? register['allowedFields'] : undefined
  if (type === undefined || !Array.isArray(allowed)) return
  const names = type.attributes.map(({ name }) => name)
  for (const [index, name] of allowed.map(String).entries()) {
    if (names.includes(name)) continue
    const path = ['plugins', 'users-permissions', 'config', 'register', 'allowedFields', index]
    fault('MOD081', path, `${type.uid} has no attribute "${name}"`, {
      help: suggestion(didYouMean(name, names), names),
    })
  }
}

/** The users of the file are entries of the plugin's content-type, so that is what they may hold. */
function checkUsers(checking: Checking): void {
  const { config, sources, fault } = checking
  const { users } = config.auth
  if (users.length === 0) return
  const type = sources.types.get('plugin::users-permissions.user')
  if (type === undefined) {
    fault('MOD063', ['auth', 'users'], 'users need the users-permissions plugin, which is switched off', {
      at: 'key',
      help: 'enable it with "plugins: { users-permissions: true }"',
    })
    return
  }
  const names = type.attributes.map(({ name }) => name)
  const seen = { username: new Set<string>(), email: new Set<string>() }
  for (const [index, user] of users.entries()) {
    const path = ['auth', 'users', index]
    for (const key of Object.keys(user)) {
      if (names.includes(key)) continue
      fault('MOD081', [...path, key], `${type.uid} has no attribute "${key}"`, {
        at: 'key',
        help: suggestion(didYouMean(key, names), names),
      })
    }
    if (typeof user['role'] === 'string') checkRole(user['role'], [...path, 'role'], checking)
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
