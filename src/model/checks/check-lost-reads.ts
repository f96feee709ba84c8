// Warns of roles that lack reads of `public`: as in Strapi, a logged-in user loses the permissions of
// `public`.

import type { RoleConfig } from '../../config/auth-config.ts'
import { shortenActionName } from '../actions.ts'
import type { CheckContext } from '../checking.ts'
import { listPermissions } from '../permission-list.ts'
import { expandPermission } from '../permission-pattern.ts'

const MAX_NAMED = 3
const READ = /^api::.*\.find(?:One)?$/

export function checkLostReads({ config, actions, fault }: CheckContext): void {
  const { roles, users } = config.auth
  const open = listReads(roles['public'], actions)
  const isImplicit = users.length > 0 && roles['authenticated'] === undefined
  for (const name of [...Object.keys(roles), ...(isImplicit ? ['authenticated'] : [])]) {
    const role = roles[name]
    // A role with `extends` was chosen on purpose; unknown actions are reported elsewhere.
    if (name === 'public' || role?.extends !== undefined || hasUnknown(role, actions)) continue
    const own = new Set(listReads(role, actions))
    const lost = open.filter((action) => !own.has(action))
    if (lost.length === 0) continue
    const named = lost.slice(0, MAX_NAMED).map(shortenActionName).join(', ')
    const more = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : ''
    const path = role === undefined ? ['auth', 'users'] : ['auth', 'roles', name]
    fault('MOD110', path, `users with the role "${name}" may not do what everybody may: ${named}${more}`, {
      severity: 'warning',
      at: 'key',
      help: `add "extends: public" to auth.roles.${name}, or "extends: []" if it is meant`,
    })
  }
}

function listReads(role: RoleConfig | undefined, actions: ReadonlySet<string>): readonly string[] {
  const granted = listPermissions(role?.permissions ?? [])
  const expanded = granted.flatMap(({ pattern }) => expandPermission(pattern, actions))
  return [...new Set(expanded)].filter((action) => READ.test(action))
}

function hasUnknown(role: RoleConfig | undefined, actions: ReadonlySet<string>): boolean {
  return listPermissions(role?.permissions ?? []).some(
    ({ pattern }) => expandPermission(pattern, actions).length === 0,
  )
}
