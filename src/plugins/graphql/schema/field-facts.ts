// What the house knows of a field of the schema, kept in the field's own `extensions`: it survives schema extension.

import type { Attribute } from '../../../model/attribute.ts'
import type { GraphqlAuth } from '../../graphql-extension.ts'

export interface FieldFacts {
  /** The attribute that a generated field of an entry or component shows. */
  readonly attribute?: Attribute
  /** Undefined: open, except for root fields, which need a caller who says who they are. */
  readonly auth?: GraphqlAuth | undefined
  /** Resolved, or wrapped, by somebody's code: what it shows is not read ahead. */
  readonly custom?: boolean
  /** Made here, without an attribute: it shows what the house's own resolvers answered. */
  readonly plain?: boolean
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
  const { attribute, custom, plain } = factsOf(field)
  return custom !== true && (attribute !== undefined || plain === true)
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
