// Refuses permissions that match no action, and repeated tokens.

import type { PermissionConfig } from '../../config/auth-config.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { CheckContext } from '../checking.ts'
import { listPermissions } from '../permission-list.ts'
import { expandPermission, suggestPermission } from '../permission-pattern.ts'

export function checkPermissions(checking: CheckContext): void {
  const { roles, apiTokens } = checking.config.auth
  for (const [role, { permissions }] of Object.entries(roles)) {
    checkListed(permissions, ['auth', 'roles', role, 'permissions'], checking)
  }
  for (const [index, { permissions }] of apiTokens.entries()) {
    checkListed(permissions ?? [], ['auth', 'apiTokens', index, 'permissions'], checking)
  }
  checkTokens(checking)
}

function checkListed(
  permissions: readonly PermissionConfig[],
  path: DiagnosticPath,
  checking: CheckContext,
): void {
  for (const permission of listPermissions(permissions)) {
    checkPattern(permission.pattern, [...path, ...permission.path], checking, permission.rule && 'key')
  }
}

export function checkPatterns(
  patterns: readonly string[],
  path: DiagnosticPath,
  checking: Pick<CheckContext, 'actions' | 'fault'>,
): void {
  for (const [index, pattern] of patterns.entries()) checkPattern(pattern, [...path, index], checking)
}

function checkPattern(
  pattern: string,
  path: DiagnosticPath,
  { actions, fault }: Pick<CheckContext, 'actions' | 'fault'>,
  at?: 'key',
): void {
  if (expandPermission(pattern, actions).length > 0) return
  fault('MOD060', path, `permission "${pattern}" names no action`, {
    help: suggestPermission(pattern, actions),
    at,
  })
}

function checkTokens({ config, fault }: CheckContext): void {
  const names = new Set<string>()
  for (const [index, { name }] of config.auth.apiTokens.entries()) {
    if (names.has(name)) {
      fault('MOD062', ['auth', 'apiTokens', index, 'name'], `there is already an API token named "${name}"`)
    }
    names.add(name)
  }
}
