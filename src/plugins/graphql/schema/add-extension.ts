// Adds SDL with resolvers to a schema. Both `type X` and `extend type X` extend an existing type.

import {
  type DefinitionNode,
  type DocumentNode,
  extendSchema,
  GraphQLSchema,
  isObjectType,
  Kind,
  parse,
} from 'graphql'
import { InvariantError } from '../../../lib/errors/invariant.ts'
import type { GraphqlExtension, GraphqlResolver, SubscribingContext } from '../../graphql-extension.ts'
import { resolveFacts, withFacts } from '../fields/field-facts.ts'

/** Throws GraphQLError for invalid SDL, InvariantError if a resolver has no field. */
export function addExtension(schema: GraphQLSchema, extension: GraphqlExtension): GraphQLSchema {
  const { typeDefs = '', resolvers = {}, subscriptions = {}, auth = {} } = extension
  const extended = typeDefs.trim() === '' ? schema : extendWithSdl(schema, typeDefs)
  for (const [typeName, fields] of Object.entries(resolvers)) {
    for (const [fieldName, resolve] of Object.entries(fields)) {
      setResolver(extended, typeName, fieldName, resolve)
    }
  }
  for (const [name, subscriber] of Object.entries(subscriptions)) {
    const field = getField(extended, 'Subscription', name)
    field.subscribe = (_parent, args, context: SubscribingContext) => subscriber(args, context)
  }
  for (const [key, value] of Object.entries(auth)) {
    const [typeName = '', fieldName = ''] = key.split('.')
    const field = getField(extended, typeName, fieldName)
    field.extensions = { ...field.extensions, ...withFacts({ ...resolveFacts(field), auth: value }) }
  }
  return extended
}

/** Throws GraphQLError for SDL that does not parse, Error for SDL that does not fit the schema. */
export function extendWithSdl(schema: GraphQLSchema, typeDefs: string): GraphQLSchema {
  return extendSchema(schema, asExtensions(parse(typeDefs), schema))
}

/** Copies the schema's types, because scalars and common types are shared by all schemas. */
export function withOwnTypes(schema: GraphQLSchema): GraphQLSchema {
  const copy = extendSchema(schema, parse('directive @copy on SCALAR'))
  return new GraphQLSchema({ ...copy.toConfig(), directives: schema.getDirectives() })
}

function setResolver(
  schema: GraphQLSchema,
  typeName: string,
  fieldName: string,
  resolve: GraphqlResolver,
): void {
  const field = getField(schema, typeName, fieldName)
  field.resolve = resolve
  field.extensions = {
    ...field.extensions,
    ...withFacts({ ...resolveFacts(field), custom: true, offered: true }),
  }
}

function getField(schema: GraphQLSchema, typeName: string, fieldName: string) {
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  if (field === undefined) throw new InvariantError(`the schema has no field ${typeName}.${fieldName}`)
  return field
}

const getExtension = {
  [Kind.OBJECT_TYPE_DEFINITION]: Kind.OBJECT_TYPE_EXTENSION,
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: Kind.INPUT_OBJECT_TYPE_EXTENSION,
  [Kind.ENUM_TYPE_DEFINITION]: Kind.ENUM_TYPE_EXTENSION,
  [Kind.UNION_TYPE_DEFINITION]: Kind.UNION_TYPE_EXTENSION,
  [Kind.INTERFACE_TYPE_DEFINITION]: Kind.INTERFACE_TYPE_EXTENSION,
} as const

function asExtensions(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const seen = new Set<string>()
  const definitions = document.definitions.map((node): DefinitionNode => {
    // `Subscription` is the only root type that may be missing.
    if (node.kind === Kind.OBJECT_TYPE_EXTENSION && node.name.value === 'Subscription') {
      const there = schema.getType('Subscription') !== undefined || seen.has('Subscription')
      seen.add('Subscription')
      return there ? node : { ...node, kind: Kind.OBJECT_TYPE_DEFINITION }
    }
    if (!(node.kind in getExtension) || !('name' in node) || node.name === undefined) return node
    const { value } = node.name
    const again = schema.getType(value) !== undefined || seen.has(value)
    seen.add(value)
    if (!again) return node
    const kind = getExtension[node.kind as keyof typeof getExtension]
    const { description: _, ...rest } = node as typeof node & { readonly description?: unknown }
    return { ...rest, kind } as DefinitionNode
  })
  return { ...document, definitions }
}
