// Facts about a field of the schema, kept in the field's own `extensions`, which schema extension keeps.

import { type GraphQLField, getNamedType, isLeafType, isUnionType } from 'graphql'
import { missingPermission } from '../../../access/explain-refusal.ts'
import type { Principal } from '../../../access/principal.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import type { Attribute } from '../../../model/attribute.ts'
import type { GraphqlAuth } from '../../graphql-extension.ts'
import { isOwnLeaf } from './finish-leaf.ts'

/**
 * The part of an answer that a generated field without an attribute shows. `value`: the property that has the name of
 * the field; `page`: the numbers of a list's page, `meta` an object around them; `itself`: the same entry once more.
 */
export type ShownPart = 'id' | 'attributes' | 'entry' | 'entries' | 'meta' | 'page' | 'value' | 'itself'

interface FieldFacts {
  /** The attribute that a generated field of an entry or component shows. */
  readonly attribute?: Attribute
  /** Undefined: open to all callers; a root field then still requires an authenticated caller. */
  readonly auth?: GraphqlAuth | undefined
  /** Users' code resolves or wraps the field: its value is not read ahead. */
  readonly custom?: boolean
  /** A plugin resolves the field, and nobody else does. */
  readonly offered?: boolean
  readonly shows?: ShownPart
  /** A generated root field that reads everything below it ahead. */
  readonly reads?: true
  /** A property of the parent that has the name of the field: it needs no resolver. */
  readonly property?: true
}

const NONE: FieldFacts = {}

export function resolveFacts(field: { readonly extensions: Readonly<Record<string, unknown>> }): FieldFacts {
  return (field.extensions['cms'] as FieldFacts | undefined) ?? NONE
}

export function withFacts(facts: FieldFacts): { readonly cms: FieldFacts } {
  return { cms: facts }
}

/** Whether a field without a resolver would read a plain property: neither a function nor a promise. */
export function isPlain(field: { readonly extensions: Readonly<Record<string, unknown>> }): boolean {
  const { attribute, custom, shows } = resolveFacts(field)
  return custom !== true && (attribute !== undefined || shows !== undefined)
}

/** Whether callers with the same permissions get the same value: users' code may look at anything of a request. */
export function isImpersonal(field: { readonly extensions: Readonly<Record<string, unknown>> }): boolean {
  const { custom, offered } = resolveFacts(field)
  return custom !== true || offered === true
}

/** Whether the field is a property that was read ahead, which everybody may see who sees its parent. */
export function isProperty(field: { readonly extensions: Readonly<Record<string, unknown>> }): boolean {
  const { auth, custom, property } = resolveFacts(field)
  return property === true && custom !== true && (auth === undefined || auth === false)
}

/**
 * Whether nothing but the runtime makes the field's value, which is then finished when it is read: no users' code resolves it,
 * and its type serializes as generated here.
 */
export function isGenerated(field: GraphQLField<unknown, unknown>, isRoot: boolean): boolean {
  const { attribute, shows, custom, reads } = resolveFacts(field)
  if (custom === true) return false
  if (isRoot) return reads === true
  if (attribute === undefined) return shows !== undefined
  const type = getNamedType(field.type)
  if (attribute.kind === 'scalar') return isLeafType(type) && isOwnLeaf(attribute, type)
  return !isUnionType(type) || isSafeUnion(type)
}

/** Marks unions whose `resolveType` was generated here: it is synchronous and never throws. */
export const safeUnion = { cmsSafe: true }

export function isSafeUnion({
  extensions,
}: {
  readonly extensions: Readonly<Record<string, unknown>>
}): boolean {
  return extensions['cmsSafe'] === true
}

/** Users' code now decides which type a value has: it may be asynchronous, and throw. */
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
  throw new ApiError('ForbiddenError', 'Forbidden access').because(missingPermission(missing, principal))
}
