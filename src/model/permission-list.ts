// The permissions of a role or token as a flat list: each with its rule, if it has one, and its place in the list.

import type { PermissionConfig, PermissionRuleConfig } from '../config/auth-config.ts'

interface ListedPermission {
  readonly pattern: string
  /** Undefined for a permission without conditions. */
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
