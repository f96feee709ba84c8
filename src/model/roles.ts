// Answers questions about the roles of a file together.

import type { ConsolePage } from '../config/auth-config.ts'
import type { Config } from '../config/config.ts'

type Roles = Config['auth']['roles']

/** The roles whose permissions the role has as well, also indirect and undeclared ones, each once. */
export function listAncestors(role: string, roles: Roles): readonly string[] {
  const found = new Set<string>()
  const visit = (name: string): void => {
    for (const next of roles[name]?.extends ?? []) {
      if (next === role || found.has(next)) continue
      found.add(next)
      visit(next)
    }
  }
  visit(role)
  return [...found]
}

/** Whether users of some role log in to the console. */
export function hasConsoleRole(roles: Roles): boolean {
  return Object.values(roles).some((role) => role.console !== undefined)
}

/** Of a role that names none. */
export const STANDARD_PAGES: readonly ConsolePage[] = ['data', 'media', 'users']
