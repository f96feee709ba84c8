// Who asks, and what they may do.

import type { ContentType } from '../model/content-type.ts'

/** The permissions of a role or token: a set of action ids, made once and shared by all who have them. */
export interface Permissions {
  can(action: string): boolean
  /** Whether entries of the type may be found, by themselves or through others. */
  visible(type: ContentType): boolean
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

export function createPermissions(actions: ReadonlySet<string>): Permissions {
  return {
    can: (action) => actions.has(action),
    visible: (type) => actions.has(`${type.uid}.find`),
  }
}

/** Everything: for seeding and for `cms.entries()`, never for a request. */
export const everyPermission: Permissions = { can: () => true, visible: () => true }
