// Changes a schema in place so that both engines read it alike: for a field without a resolver, graphql-jit only reads
// a property, while graphql-js also calls functions and awaits promises. Only fields known to hold plain values stay
// without a resolver.

import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql'

export type IsPlain = (type: GraphQLObjectType, field: GraphQLField<unknown, unknown>) => boolean

export function prepareSchema(schema: GraphQLSchema, isPlain: IsPlain): void {
  for (const [type, field] of fieldsOf(schema)) {
    if (isPlain(type, field)) continue
    const resolve = field.resolve ?? defaultFieldResolver
    field.resolve = isListType(getNullableType(field.type)) ? listing(resolve) : resolve
  }
}

export function* fieldsOf(schema: GraphQLSchema) {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      yield [type, field as GraphQLField<unknown, unknown>] as const
    }
  }
}

type Resolve = NonNullable<GraphQLField<unknown, unknown>['resolve']>

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
