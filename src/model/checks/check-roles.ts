// Refuses roles that extend an unknown role or, in a circle, themselves.

import { didYouMean } from '../../lib/did-you-mean.ts'
import { type CheckContext, formatSuggestion } from '../checking.ts'

const IMPLICIT = ['public', 'authenticated']

export function checkRoles({ config, fault }: CheckContext): void {
  const { roles } = config.auth
  const known = new Set([...IMPLICIT, ...Object.keys(roles)])
  for (const [role, { extends: extended = [] }] of Object.entries(roles)) {
    for (const [index, name] of extended.entries()) {
      const path = ['auth', 'roles', role, 'extends', index]
      if (!known.has(name)) {
        const help = formatSuggestion(didYouMean(name, known), known)
        fault('MOD061', path, `unknown role "${name}"`, { help })
        continue
      }
      const circle = wayTo(role, [name], config.auth.roles)
      if (circle === undefined) continue
      const way = [role, ...circle].join(' extends ')
      fault('MOD104', path, `a role cannot extend itself: ${way}`, { help: `take "${name}" out` })
    }
  }
}

/** Each extends the next. */
function wayTo(
  role: string,
  way: readonly string[],
  roles: CheckContext['config']['auth']['roles'],
): readonly string[] | undefined {
  const last = way.at(-1) ?? ''
  if (last === role) return way
  for (const next of roles[last]?.extends ?? []) {
    if (way.includes(next)) continue
    const found = wayTo(role, [...way, next], roles)
    if (found !== undefined) return found
  }
  return undefined
}
