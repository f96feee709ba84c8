// Access at the top of the file: `public: [article.read]`, `users: […]`, and a role that is only its permissions.

import type { Expansion } from './expansion.ts'
import { liftInto } from './lift.ts'
import { expandPermissionRules } from './permission-rules.ts'

export function expandAccess(expansion: Expansion): void {
  liftInto(expansion, 'public', ['auth', 'roles', 'public'])
  liftInto(expansion, 'users', ['auth', 'users'])
  for (const [name, role] of expansion.entries(['auth', 'roles'])) {
    if (!Array.isArray(role)) continue
    expansion.replace(['auth', 'roles', name], { permissions: role }, [[['permissions'], []]])
  }
  expandPermissionRules(expansion)
}
