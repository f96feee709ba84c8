// Flattens the permissions of a role or token to a list.

import type { PermissionConfig, PermissionRuleConfig } from '../config/auth-config.ts'

interface ListedPermission {
  readonly pattern: string
  readonly rule: PermissionRuleConfig | undefined
  /** Below the list: an index, and for a map its key. */
  readonly path: readonly [index: number] | readonly [index: number, key: string]
}

export function listPermissions(permissions: readonly PermissionConfig[]): readonly ListedPermission[] {
  return permissions.flatMap((permission, index): readonly ListedPermission[] => {
    if (typeof permission === 'string') return [{ pattern: permission, rule: undefined, path: [index] }]
    return Object.entries(permission).map(([key, rule]) => ({ pattern: key, rule, path: [index, key] }))
  })
}
