// The caller of a request, and what it may do.

import type { Expression } from '../expressions/expression.ts'
import type { ContentType } from '../model/content-type.ts'
import { type Alternative, type Granted, isRule } from './rules.ts'

/** The rule for entries of a type: one of the conditions must hold. The values of the caller are bound. */
export interface EntryRule {
  readonly anyOf: readonly Expression[]
  readonly variables: Variables
}

/** The permissions for a write: one of them must allow it. */
export interface WriteRule {
  readonly alternatives: readonly Alternative[]
  readonly variables: Variables
}

/** Values of the names that an expression may use besides the attributes of the entry. */
export type Variables = Readonly<Record<string, unknown>>

export type ReadAction = 'find' | 'findOne'
export type WriteAction = 'create' | 'createLocalization' | 'update' | 'delete'

/**
 * The permissions of a role or token for one caller: a set of action ids with rules. Callers without rules, and callers
 * with equal values, share one object.
 */
export interface Permissions {
  can(action: string): boolean
  /** Whether entries of the type may be found, directly or through relations; `whereOf` says which. */
  visible(type: ContentType): boolean
  /** Whether all drafts of the type that the rules allow may be found, too. */
  seesDrafts(type: ContentType): boolean
  /** Which drafts the caller sees who does not see all: those that it may update; undefined: none. */
  draftsOf(type: ContentType): EntryRule | undefined
  /** Whether every entry of the type may be changed, directly or through links from other entries. */
  mayUpdate(type: ContentType): boolean
  /** Which entries exist for the caller; undefined: all of them. */
  whereOf(type: ContentType, action: ReadAction): EntryRule | undefined
  /** The attributes that the caller may read; undefined: all of them. */
  readable(type: ContentType, action: ReadAction): ReadonlySet<string> | undefined
  /** Under which conditions the caller may write; undefined: without any. */
  writeRule(type: ContentType, action: WriteAction): WriteRule | undefined
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

/**
 * `publicDrafts`: everybody who may find entries sees drafts, too; otherwise only those who may update every entry.
 * `variables`: the values that rules name.
 */
export function createPermissions(
  actions: ReadonlySet<string>,
  publicDrafts: boolean,
  rules: Granted['rules'] = NO_RULES,
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
    can: (action) => actions.has(action),
    visible: (type) => actions.has(`${type.uid}.find`),
    seesDrafts: (type) => publicDrafts || updatesAll(type),
    mayUpdate,
    draftsOf(type) {
      const anyOf = (of(type, 'update') ?? []).flatMap(({ where }) => where ?? [])
      return anyOf.length === 0 ? undefined : { anyOf, variables }
    },
    whereOf(type, action) {
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
      const alternatives = of(type, action)
      return alternatives === undefined ? undefined : { alternatives, variables }
    },
  }
}

const NO_RULES: Granted['rules'] = new Map()

const unlimited: Permissions = {
  can: () => true,
  visible: () => true,
  seesDrafts: () => true,
  draftsOf: () => undefined,
  mayUpdate: () => true,
  whereOf: () => undefined,
  readable: () => undefined,
  writeRule: () => undefined,
}

/** The permissions of a full-access token: also rights without an action, such as those of a role. */
export const fullAccess: Permissions = { ...unlimited }

/** All permissions: for seeding and for `cms.entries()`, never for a request. */
export const everyPermission: Permissions = { ...unlimited }
