// Changes a schema in place so that both engines read it alike: for a field without a resolver, graphql-jit only reads
// a property, while graphql-js also calls functions and awaits promises. Only fields known to hold plain values stay
// without a resolver.

import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql'

type Field = GraphQLField<unknown, unknown>

/** Facts about the fields of a schema. */
export interface FieldKinds {
  /** Whether a field without a resolver reads a property that is neither function nor promise: the fastest kind. */
  isPlain(field: Field): boolean
  /** Whether the field is a property that was read ahead: its resolver is not needed. */
  isProperty(field: Field): boolean
  /** Makes a value that users' code answered with one that generated fields below can read; undefined: it is as it is. */
  completionOf(field: Field): ((value: unknown) => unknown) | undefined
}

export function prepareSchema(schema: GraphQLSchema, kinds: FieldKinds): void {
  for (const [, field] of resolveFields(schema)) {
    if (kinds.isProperty(field)) {
      delete field.resolve
      continue
    }
    if (kinds.isPlain(field)) continue
    const resolve = completing(field.resolve ?? defaultFieldResolver, kinds.completionOf(field))
    field.resolve = isListType(getNullableType(field.type)) ? listing(resolve) : resolve
  }
}

export function* resolveFields(schema: GraphQLSchema) {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      yield [type, field as GraphQLField<unknown, unknown>] as const
    }
  }
}

type Resolve = NonNullable<Field['resolve']>

function completing(resolve: Resolve, complete: ((value: unknown) => unknown) | undefined): Resolve {
  if (complete === undefined) return resolve
  return (parent, args, context, info) => {
    const value = resolve(parent, args, context, info)
    return value instanceof Promise ? value.then(complete) : complete(value)
  }
}

/** Converts an iterable result to an array here, so that an error of the iteration is reported at the field. */
function listing(resolve: Resolve): Resolve {
  return (parent, args, context, info) => {
    const value = resolve(parent, args, context, info)
    return value instanceof Promise ? value.then(asArray) : asArray(value)
  }
}

function asArray(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  return Symbol.iterator in value ? [...(value as Iterable<unknown>)] : value
}
