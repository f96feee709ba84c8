// Expands the permission patterns of roles and API tokens to actions.

import type { ApiTokenConfig, AuthConfig, PermissionConfig } from '../config/auth-config.ts'
import type { Config } from '../config/config.ts'
import { listModelActions } from '../model/actions.ts'
import type { ModelContribution } from '../model/contribution.ts'
import type { Model } from '../model/model.ts'
import { listPermissions } from '../model/permission-list.ts'
import { expandPermission } from '../model/permission-pattern.ts'

/** Exist in every configuration, with only the permissions that it gives them. */
export const implicitRoles = ['public', 'authenticated'] as const

export function expandRolePermissions(
  auth: Pick<AuthConfig, 'roles'>,
  actions: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const granted = new Map<string, ReadonlySet<string>>(implicitRoles.map((role) => [role, new Set()]))
  for (const [role, { permissions }] of Object.entries(auth.roles)) {
    granted.set(role, expandAll(permissions, actions))
  }
  return granted
}

/** full-access: all actions; read-only: `find` and `findOne`; custom: the actions that the token lists. */
export function expandTokenPermissions(
  token: Pick<ApiTokenConfig, 'type' | 'permissions'>,
  actions: ReadonlySet<string>,
): ReadonlySet<string> {
  switch (token.type) {
    case 'full-access':
      return actions
    case 'read-only':
      return new Set([...actions].filter((action) => ['find', 'findOne'].includes(getActionName(action))))
    case 'custom':
      return expandAll(token.permissions ?? [], actions)
  }
}

/** The actions that the permissions of some role or custom API token name. */
export function listGrantedActions(
  auth: Pick<AuthConfig, 'roles' | 'apiTokens'>,
  actions: ReadonlySet<string>,
): ReadonlySet<string> {
  const granted = [
    ...expandRolePermissions(auth, actions).values(),
    ...auth.apiTokens.map(({ permissions = [] }) => expandAll(permissions, actions)),
  ]
  return new Set(granted.flatMap((each) => [...each]))
}

function expandAll(
  permissions: readonly PermissionConfig[],
  actions: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(listPermissions(permissions).flatMap(({ pattern }) => expandPermission(pattern, actions)))
}

/**
 * Returns all `api::<api>.<type>.<action>` and `plugin::<plugin>.<controller>.<action>`, in the order of the
 * model.
 */
export function listAllActions(
  model: Model,
  contributions: readonly ModelContribution[],
  { routes }: Pick<Config, 'routes'>,
): ReadonlySet<string> {
  return listModelActions(
    model,
    contributions.flatMap(({ actions }) => actions ?? []),
    routes,
  )
}

/** Returns `find` for `api::article.article.find`. */
export function getActionName(action: string): string {
  return action.slice(action.lastIndexOf('.') + 1)
}
