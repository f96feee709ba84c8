// The caller of a request, and what it may do.

import type { ContentType } from '../model/content-type.ts'

/** The permissions of a role or token: a set of action ids, made once and shared by all its callers. */
export interface Permissions {
  can(action: string): boolean
  /** Whether entries of the type may be found, directly or through relations. */
  visible(type: ContentType): boolean
  /** Whether drafts of the type may be found, too. */
  seesDrafts(type: ContentType): boolean
  /** Whether entries of the type may be changed, directly or through links from other entries. */
  mayUpdate(type: ContentType): boolean
}

export interface Principal {
  readonly kind: 'public' | 'user' | 'api-token'
  /** The type of its role, `public` for a request without a token; of an API token, the token's name. */
  readonly name: string
  readonly permissions: Permissions
  /** The place in the file that lists its permissions: `auth.roles.public.permissions`. */
  readonly source: string
  /** The user's id, for `kind: 'user'`. */
  readonly id?: number
}

/** The place in the file that lists the permissions of a role. */
export function sourceOfRole(type: string): string {
  return `auth.roles.${type}.permissions`
}

/** `publicDrafts`: everybody who may find entries sees drafts, too; otherwise only those who may update. */
export function createPermissions(actions: ReadonlySet<string>, publicDrafts: boolean): Permissions {
  return {
    can: (action) => actions.has(action),
    visible: (type) => actions.has(`${type.uid}.find`),
    seesDrafts: (type) => publicDrafts || actions.has(`${type.uid}.update`),
    mayUpdate: (type) => actions.has(`${type.uid}.update`),
  }
}

/** The permissions of a full-access token: also rights without an action, such as those of a role. */
export const fullAccess: Permissions = {
  can: () => true,
  visible: () => true,
  seesDrafts: () => true,
  mayUpdate: () => true,
}

/** All permissions: for seeding and for `cms.entries()`, never for a request. */
export const everyPermission: Permissions = {
  can: () => true,
  visible: () => true,
  seesDrafts: () => true,
  mayUpdate: () => true,
}

/** Whether a caller sees drafts: with `publicDrafts` if it may find entries, otherwise only if it may update them. */
export function seesDrafts(
  type: ContentType,
  permissions: Permissions,
  { publicDrafts }: { readonly publicDrafts: boolean },
): boolean {
  return publicDrafts || permissions.can(`${type.uid}.update`)
}
