// Facts about a field, stored in its `extensions`, which schema extension keeps.

import { type GraphQLField, getNamedType, isLeafType, isUnionType } from 'graphql'
import { explainMissingPermission } from '../../../access/explain-refusal.ts'
import type { Principal } from '../../../access/principal.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import type { Attribute } from '../../../model/attribute.ts'
import type { GraphqlAuth } from '../../graphql-extension.ts'
import { isOwnLeaf } from './finish-leaf.ts'

/**
 * The part of a result that a generated field without an attribute shows. `value`: the property with the
 * field's name; `page`: the numbers of a list's page; `meta`: an object around them; `itself`: the same
 * entry.
 */
export type ShownPart =
  | 'id'
  | 'attributes'
  | 'entry'
  | 'entries'
  | 'meta'
  | 'page'
  | 'value'
  | 'version'
  | 'highlights'
  | 'itself'

interface FieldFacts {
  readonly attribute?: Attribute
  /** Undefined: open to all callers; a root field then still requires an authenticated caller. */
  readonly auth?: GraphqlAuth | undefined
  /** Users' code resolves or wraps the field, so it is not read ahead. */
  readonly custom?: boolean
  /** Only a plugin resolves the field. */
  readonly offered?: boolean
  readonly shows?: ShownPart
  readonly reads?: true
  /** A property of the parent with the field's name. */
  readonly property?: true
}

const NONE: FieldFacts = {}

export function resolveFacts(field: { readonly extensions: Readonly<Record<string, unknown>> }): FieldFacts {
  return (field.extensions['cms'] as FieldFacts | undefined) ?? NONE
}

export function withFacts(facts: FieldFacts): { readonly cms: FieldFacts } {
  return { cms: facts }
}

export function isPlain(field: { readonly extensions: Readonly<Record<string, unknown>> }): boolean {
  const { attribute, custom, shows } = resolveFacts(field)
  return custom !== true && (attribute !== undefined || shows !== undefined)
}

/** False for users' code, which may depend on anything in a request. */
export function isImpersonal(field: { readonly extensions: Readonly<Record<string, unknown>> }): boolean {
  const { custom, offered } = resolveFacts(field)
  return custom !== true || offered === true
}

export function isProperty(field: { readonly extensions: Readonly<Record<string, unknown>> }): boolean {
  const { auth, custom, property } = resolveFacts(field)
  return property === true && custom !== true && (auth === undefined || auth === false)
}

/** Whether only the server makes the field's value, which is then already serialized. */
export function isGenerated(field: GraphQLField<unknown, unknown>, isRoot: boolean): boolean {
  const { attribute, shows, custom, reads } = resolveFacts(field)
  if (custom === true) return false
  if (isRoot) return reads === true
  if (attribute === undefined) return shows !== undefined
  const type = getNamedType(field.type)
  if (attribute.kind === 'scalar') return isLeafType(type) && isOwnLeaf(attribute, type)
  return !isUnionType(type) || isSafeUnion(type)
}

/** Marks unions whose generated `resolveType` is synchronous and never throws. */
export const safeUnion = { cmsSafe: true }

export function isSafeUnion({
  extensions,
}: {
  readonly extensions: Readonly<Record<string, unknown>>
}): boolean {
  return extensions['cmsSafe'] === true
}

/** Users' code now decides the type of a value, and may be asynchronous and throw. */
export function markUnsafe(type: { extensions: Readonly<Record<string, unknown>> }): void {
  type.extensions = { ...type.extensions, cmsSafe: false }
}

export function mayResolve(auth: GraphqlAuth | undefined, principal: Principal): boolean {
  if (auth === undefined || auth === false) return true
  return auth.scope.every((action) => principal.permissions.can(action))
}

/** Throws ForbiddenError. */
export function assertMayResolve(auth: GraphqlAuth | undefined, principal: Principal): void {
  if (auth === undefined || auth === false) return
  const missing = auth.scope.find((action) => !principal.permissions.can(action))
  if (missing === undefined) return
  throw new ApiError('ForbiddenError', 'Forbidden access').because(
    explainMissingPermission(missing, principal),
  )
}
