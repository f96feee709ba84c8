// The caller of a request, and what it may do.

import { type Access, everything, type ReadAction, type Variables } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import { type Alternative, type Grants, isRule } from './rules.ts'

/**
 * The permissions of a role or token for one caller: a set of action ids with rules. Callers without rules, and callers
 * with equal values, share one object.
 */
export interface Permissions extends Access {
  can(action: string): boolean
  /** Whether later requests of equal callers have this object: else nothing that is kept for it is found again. */
  readonly isShared: boolean
}

export interface Principal {
  readonly kind: 'public' | 'user' | 'api-token'
  /** The type of its role, `public` for a request without a token; of an API token, the token's name. */
  readonly name: string
  readonly permissions: Permissions
  /** The place in the file that lists its permissions: `auth.roles.public.permissions`. */
  readonly source: string
  /** The user's id, for `kind: 'user'`; undefined for those whom another server vouches for. */
  readonly id?: number
  /** The session of its access token, where the file asks for sessions. */
  readonly session?: string
  /** Those: the provider's name and its name for them. */
  readonly subject?: string
}

/** The place in the file that lists the permissions of a role. */
export function sourceOfRole(type: string): string {
  return `auth.roles.${type}.permissions`
}

/**
 * `publicDrafts`: everybody who may find entries sees drafts, too; otherwise only those who may update every entry.
 * `variables`: the values that rules name.
 */
export function createPermissions(
  actions: ReadonlySet<string>,
  publicDrafts: boolean,
  rules: Grants['rules'] = NO_RULES,
  variables: Variables = {},
): Permissions {
  const of = ({ uid }: ContentType, action: string): readonly Alternative[] | undefined =>
    rules.get(`${uid}.${action}`)
  /** Who may only find lists is asked by the rule for lists for one entry, too, and the other way round. */
  const reading = (type: ContentType, action: ReadAction): readonly Alternative[] | undefined => {
    const other = action === 'find' ? 'findOne' : 'find'
    return of(type, actions.has(`${type.uid}.${action}`) ? action : other)
  }
  const mayUpdate = (type: ContentType): boolean =>
    actions.has(`${type.uid}.update`) && of(type, 'update')?.every(isRule) !== true
  /** Some permission to update is about every entry, whatever may be written. */
  const updatesAll = (type: ContentType): boolean =>
    actions.has(`${type.uid}.update`) &&
    of(type, 'update')?.every(({ where }) => where !== undefined) !== true
  return {
    isShared: true,
    can: (action) => actions.has(action),
    visible: (type) => actions.has(`${type.uid}.find`),
    seesDrafts: (type) => publicDrafts || updatesAll(type),
    mayUpdate,
    findDraftRule(type) {
      const anyOf = (of(type, 'update') ?? []).flatMap(({ where }) => where ?? [])
      return anyOf.length === 0 ? undefined : { anyOf, variables }
    },
    findRule(type, action) {
      const anyOf = reading(type, action)?.map(({ where }) => where)
      if (anyOf === undefined || anyOf.includes(undefined)) return undefined
      return { anyOf: anyOf.filter((where) => where !== undefined), variables }
    },
    readable(type, action) {
      const lists = reading(type, action)?.map(({ fields }) => fields)
      if (lists === undefined || lists.includes(undefined)) return undefined
      return new Set(lists.flatMap((fields) => [...(fields ?? [])]))
    },
    writeRule(type, action) {
      const alternatives = of(type, action) ?? (action === 'delete' ? of(type, 'destroy') : undefined)
      return alternatives === undefined ? undefined : { alternatives, variables }
    },
  }
}

const NO_RULES: Grants['rules'] = new Map()

/** The permissions of a full-access token: also rights without an action, such as those of a role. */
export const fullAccess: Permissions = { ...everything, can: () => true, isShared: true }

/** All permissions: for the runtime itself, never for a request. */
export const everyPermission: Permissions = { ...everything, can: () => true, isShared: true }

/** Those of users' code, which sees private attributes, too. */
export const ownCode: Permissions = { ...everyPermission, seesPrivate: true }

/** Whether it is the server that asks: it pays no price, and closed attributes are open to it. */
export function isServer(access: Access): boolean {
  return access === everyPermission || access === ownCode
}
