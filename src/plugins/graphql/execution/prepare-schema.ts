// Adds resolvers to a schema in place: without one, graphql-jit only reads a property, while graphql-js also
// calls functions and awaits promises.

import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql'

type Field = GraphQLField<unknown, unknown>

export interface FieldKinds {
  isPlain(field: Field): boolean
  isProperty(field: Field): boolean
  /** Converts a value from users' code for the generated fields below. */
  getCompletion(field: Field): ((value: unknown) => unknown) | undefined
}

export function prepareSchema(schema: GraphQLSchema, kinds: FieldKinds): void {
  for (const [, field] of resolveFields(schema)) {
    if (kinds.isProperty(field)) {
      delete field.resolve
      continue
    }
    if (kinds.isPlain(field)) continue
    const resolve = completing(field.resolve ?? defaultFieldResolver, kinds.getCompletion(field))
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

/** Converts an iterable to an array here, so that its error is reported at the field. */
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
