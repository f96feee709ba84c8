// Who asks, and what they may do.

import type { ContentType } from '../model/content-type.ts'

/** The permissions of a role or token: a set of action ids, made once and shared by all who have them. */
export interface Permissions {
  can(action: string): boolean
  /** Whether entries of the type may be found, by themselves or through others. */
  visible(type: ContentType): boolean
  /** Whether its drafts may be, which is more. */
  seesDrafts(type: ContentType): boolean
  /** Whether entries of the type may be changed, by themselves or through what is linked to them. */
  mayUpdate(type: ContentType): boolean
}

export interface Principal {
  readonly kind: 'public' | 'user' | 'api-token'
  readonly permissions: Permissions
  /** Where the file says what it may do: `auth.roles.public.permissions`. */
  readonly source: string
  /** The user's id, for `kind: 'user'`. */
  readonly id?: number
}

/** Where the file lists what a role may do. */
export function sourceOfRole(type: string): string {
  return `auth.roles.${type}.permissions`
}

/** `publicDrafts`: drafts are for everybody who may find; else only for those who may update. */
export function createPermissions(actions: ReadonlySet<string>, publicDrafts: boolean): Permissions {
  return {
    can: (action) => actions.has(action),
    visible: (type) => actions.has(`${type.uid}.find`),
    seesDrafts: (type) => publicDrafts || actions.has(`${type.uid}.update`),
    mayUpdate: (type) => actions.has(`${type.uid}.update`),
  }
}

/** A full-access token's: also what no action is named after, such as the permissions of a role. */
export const fullAccess: Permissions = {
  can: () => true,
  visible: () => true,
  seesDrafts: () => true,
  mayUpdate: () => true,
}

/** Everything: for seeding and for `cms.entries()`, never for a request. */
export const everyPermission: Permissions = {
  can: () => true,
  visible: () => true,
  seesDrafts: () => true,
  mayUpdate: () => true,
}

/** Whether a caller is shown drafts: with `publicDrafts` who may find, else only who may update. */
export function seesDrafts(
  type: ContentType,
  permissions: Permissions,
  { publicDrafts }: { readonly publicDrafts: boolean },
): boolean {
  return publicDrafts || permissions.can(`${type.uid}.update`)
}
