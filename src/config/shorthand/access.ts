// Access at the top of the file: `public: [article.read]`, `users: […]`, and a role that is only its permissions.

import type { DiagnosticPath } from '../../errors/diagnostic.ts'
import { isRecord } from '../../util/is-record.ts'
import type { Expansion } from './expansion.ts'

export function expandAccess(expansion: Expansion): void {
  liftInto(expansion, 'public', ['auth', 'roles', 'public'])
  liftInto(expansion, 'users', ['auth', 'users'])
  for (const [name, role] of expansion.entries(['auth', 'roles'])) {
    if (!Array.isArray(role)) continue
    expansion.replace(['auth', 'roles', name], { permissions: role }, [[['permissions'], []]])
  }
}

function liftInto(expansion: Expansion, key: string, to: DiagnosticPath): void {
  if (expansion.at([key]) === undefined) return
  const holders = to.slice(0, -1).map((_, index) => expansion.at(to.slice(0, index + 1)))
  // What is no map is left for the check of the shape.
  if (holders.some((holder) => holder !== undefined && !isRecord(holder))) return
  if (expansion.at(to) === undefined) expansion.move([key], to)
  else expansion.report('CFG077', [key], `"${key}" stands under "auth", too`, 'join the two', 'key')
}
