// Describes the caller of a request and its permissions.

import { type Access, everything, type ReadAction, type Variables } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import { type Alternative, type Grants, isRule } from './rules.ts'

export interface Permissions extends Access {
  can(action: string): boolean
  /** Whether equal callers get this same object, so that caching by it is useful. */
  readonly isShared: boolean
}

export interface Principal {
  readonly kind: 'public' | 'user' | 'api-token'
  /** The type of the role (`public` without a token), or the name of the API token. */
  readonly name: string
  readonly permissions: Permissions
  readonly source: string
  /** Undefined for users of an external provider. */
  readonly id?: number
  readonly session?: string
  /** For users of an external provider: the provider's name and the claim `sub`. */
  readonly subject?: string
}

export function getRoleSource(type: string): string {
  return `auth.roles.${type}.permissions`
}

/**
 * `publicDrafts`: callers who may find entries see drafts, too; otherwise only callers who may update every
 * entry.
 */
export function createPermissions(
  actions: ReadonlySet<string>,
  publicDrafts: boolean,
  rules: Grants['rules'] = NO_RULES,
  variables: Variables = {},
): Permissions {
  const of = ({ uid }: ContentType, action: string): readonly Alternative[] | undefined =>
    rules.get(`${uid}.${action}`)
  /** The rule of `find` also applies to `findOne` if only `find` is granted, and the other way round. */
  const reading = (type: ContentType, action: ReadAction): readonly Alternative[] | undefined => {
    const other = action === 'find' ? 'findOne' : 'find'
    return of(type, actions.has(`${type.uid}.${action}`) ? action : other)
  }
  const mayUpdate = (type: ContentType): boolean =>
    actions.has(`${type.uid}.update`) && of(type, 'update')?.every(isRule) !== true
  /** True if some permission to update has no `where`, whatever attributes it allows. */
  const updatesAll = (type: ContentType): boolean =>
    actions.has(`${type.uid}.update`) &&
    of(type, 'update')?.every(({ where }) => where !== undefined) !== true
  return {
    isShared: true,
    can: (action) => actions.has(action),
    visible: (type) => actions.has(`${type.uid}.find`),
    seesDrafts: (type) => publicDrafts || updatesAll(type),
    mayCreate: (type) => actions.has(`${type.uid}.create`),
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

/** Includes rights without an action, such as those of a role. */
export const fullAccess: Permissions = { ...everything, can: () => true, isShared: true }

/** For the server itself, never for a request. */
export const everyPermission: Permissions = { ...everything, can: () => true, isShared: true }

/** Also sees private attributes. */
export const ownCode: Permissions = { ...everyPermission, seesPrivate: true }

/** The server's own queries have no cost limit and may use closed attributes. */
export function isServer(access: Access): boolean {
  return access === everyPermission || access === ownCode
}
