// What the house knows of a field of the schema, kept in the field's own `extensions`: it survives schema extension.

import type { Principal } from '../../../auth/principal.ts'
import { ApiError } from '../../../errors/api-error.ts'
import type { Attribute } from '../../../model/attribute.ts'
import type { GraphqlAuth } from '../../graphql-extension.ts'
import type { EncodeField } from './encode-field.ts'

/**
 * What a field that was made here, without an attribute, shows of the house's own answers; `value`: the property of its
 * name.
 */
export type ShownPart = 'id' | 'attributes' | 'entry' | 'entries' | 'meta' | 'value'

export interface FieldFacts {
  /** The attribute that a generated field of an entry or component shows. */
  readonly attribute?: Attribute
  /** Undefined: open, except for root fields, which need a caller who says who they are. */
  readonly auth?: GraphqlAuth | undefined
  /** Resolved, or wrapped, by somebody's code: what it shows is not read ahead. */
  readonly custom?: boolean
  readonly shows?: ShownPart
  /** A root field whose answer can be written from rows. */
  readonly encode?: EncodeField
}

const NONE: FieldFacts = {}

export function factsOf(field: { readonly extensions: Readonly<Record<string, unknown>> }): FieldFacts {
  return (field.extensions['cms'] as FieldFacts | undefined) ?? NONE
}

export function withFacts(facts: FieldFacts): { readonly cms: FieldFacts } {
  return { cms: facts }
}

/** Whether a field, where it has no resolver, reads a plain property: neither a function nor a promise. */
export function isPlain(field: { readonly extensions: Readonly<Record<string, unknown>> }): boolean {
  const { attribute, custom, shows } = factsOf(field)
  return custom !== true && (attribute !== undefined || shows !== undefined)
}

/** Undefined: users' code has a part in the root field's answer, or it was never made from rows. */
export function encoderOf(field: {
  readonly extensions: Readonly<Record<string, unknown>>
}): EncodeField | undefined {
  const { custom, encode } = factsOf(field)
  return custom === true ? undefined : encode
}

/** On unions whose `resolveType` was made here: it answers at once and never throws. */
export const safeUnion = { cmsSafe: true }

export function isSafeUnion({
  extensions,
}: {
  readonly extensions: Readonly<Record<string, unknown>>
}): boolean {
  return extensions['cmsSafe'] === true
}

/** Users' code says which type a value has: it may take its time, and throw. */
export function markUnsafe(type: { extensions: Readonly<Record<string, unknown>> }): void {
  type.extensions = { ...type.extensions, cmsSafe: false }
}

export function mayResolve(auth: GraphqlAuth | undefined, principal: Principal): boolean {
  if (auth === undefined || auth === false) return true
  return auth.scope.every((action) => principal.permissions.can(action))
}

/** Throws ForbiddenError. */
export function assertMayResolve(auth: GraphqlAuth | undefined, principal: Principal): void {
  if (!mayResolve(auth, principal)) throw new ApiError('ForbiddenError', 'Forbidden access')
}
