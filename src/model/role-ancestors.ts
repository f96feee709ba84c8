// The roles whose permissions a role has as well.

import type { Config } from '../config/config.ts'

type Roles = Config['auth']['roles']

/** Includes indirect and undeclared roles, each once. */
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
