// Refuses permissions that match no action, and tokens that appear twice.

import type { DiagnosticPath } from '../errors/diagnostic.ts'
import type { Checking } from './checking.ts'
import { expandPermission, suggestPermission } from './permission-pattern.ts'

export function checkPermissions(checking: Checking): void {
  const { roles, apiTokens } = checking.config.auth
  for (const [role, { permissions }] of Object.entries(roles)) {
    checkPatterns(permissions, ['auth', 'roles', role, 'permissions'], checking)
  }
  for (const [index, { permissions }] of apiTokens.entries()) {
    checkPatterns(permissions ?? [], ['auth', 'apiTokens', index, 'permissions'], checking)
  }
  checkTokens(checking)
}

/** Each pattern must match at least one action. */
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
