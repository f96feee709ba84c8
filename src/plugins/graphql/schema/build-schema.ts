// Builds the executable schema of a model from content-type operations, plugin additions, and permission
// checks around the resolvers.

import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  isObjectType,
} from 'graphql'
import type { Report } from '../../../lib/errors/diagnostic.ts'
import { waitForTurn } from '../../../lib/next-turn.ts'
import type { Model } from '../../../model/model.ts'
import type { OperationTable } from '../../../operations/operation-table.ts'
import type { GraphqlCustomization } from '../../graphql-customization.ts'
import type { CreateGraphqlExtension, GraphqlTools } from '../../graphql-extension.ts'
import type { ShadowCrudSettings } from '../../shadow-crud-settings.ts'
import { buildFilterInput } from '../fields/scalar-types.ts'
import {
  createLocaleCode,
  GraphqlDate,
  GraphqlDateTime,
  GraphqlJson,
  GraphqlLong,
  GraphqlTime,
} from '../fields/scalars.ts'
import type { EntryResolvers } from '../resolvers/entry-resolvers.ts'
import { addExtension, withOwnTypes } from './add-extension.ts'
import { addUserExtensions, type SchemaCustomization } from './add-user-extensions.ts'
import { PaginationArg } from './common-types.ts'
import type { Field } from './entry-envelopes.ts'
import { createEntryTypes } from './output-types.ts'
import { protectFields } from './protect-fields.ts'
import { getRootFields } from './root-fields.ts'
import type { SchemaBuilding } from './schema-building.ts'
import { type SchemaRules, schemaRules } from './schema-rules.ts'

interface SchemaOptions {
  readonly model: Model
  readonly shadowCrud: ShadowCrudSettings
  /** Whether content-types have generated operations. */
  readonly generates: boolean
  readonly operations: OperationTable
  readonly resolvers: EntryResolvers
  readonly v4Compatible: boolean
  readonly offers: readonly CreateGraphqlExtension[]
  /** Applied last. */
  readonly customization?: SchemaCustomization
  readonly report?: Report
}

/** Types that an extension may name, even if no content-type uses them. */
const known = [
  ...[GraphqlJson, GraphqlDateTime, GraphqlTime, GraphqlDate, GraphqlLong],
  PaginationArg,
  ...[GraphQLID, GraphQLString, GraphqlDateTime].map(buildFilterInput),
]

/** Includes users' code; yields to the event loop between steps. */
export async function buildSchema(options: SchemaOptions): Promise<GraphQLSchema> {
  const steps = generated(options)
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) await waitForTurn()
  const schema = step.value
  const { customization, report = () => {} } = options
  const own = new Set(Object.keys(schema.getTypeMap()))
  const extended =
    customization !== undefined && isUsed(customization)
      ? await addUserExtensions(withOwnTypes(schema), customization, report)
      : schema
  await waitForTurn()
  // Users' types are kept even without a reference.
  return protectFields(pruned(extended, (type) => !own.has(type.name)))
}

/** Builds synchronously, without users' code. */
export function buildPlainSchema(options: Omit<SchemaOptions, 'customization' | 'report'>): GraphQLSchema {
  const steps = generated(options)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return protectFields(pruned(step.value, () => false))
}

/** Other work may run between the steps. */
function* generated(options: SchemaOptions): Generator<void, GraphQLSchema> {
  const { model, operations, resolvers, shadowCrud, v4Compatible } = options
  const rules = schemaRules[model.apiVersion.name]
  const building: SchemaBuilding = {
    model,
    shadowCrud,
    operations,
    resolvers,
    v4Compatible,
    localeCode: getLocaleCode(model, rules),
  }
  const types = createEntryTypes(building, rules)
  const queries: Record<string, Field> = {}
  const mutations: Record<string, Field> = {}
  const shown = [...model.contentTypes.values()].filter(({ uid }) => shadowCrud.isTypeEnabled(uid))
  if (options.generates) {
    const roots = shown.map((type) => getRootFields(type, rules, types, building))
    Object.assign(queries, ...roots.map((fields) => fields.queries))
    Object.assign(mutations, ...roots.map((fields) => fields.mutations))
    Object.assign(mutations, ...roots.map((fields) => fields.laterMutations))
  }
  let schema = new GraphQLSchema({
    query: rootType('Query', queries),
    mutation: rootType('Mutation', mutations),
    types: [
      ...known,
      ...rules.known,
      ...(building.localeCode === undefined ? [] : [building.localeCode]),
      ...shown.map((type) => types.response(type)),
      ...shown.flatMap((type) => types.inputs.data(type) ?? []),
      ...shown.map((type) => types.inputs.filters(type)),
    ],
    assumeValid: true,
  })
  const tools: GraphqlTools = {
    entrySelection: (type, context, info) => resolvers.entrySelection(type, context, info),
    isShown: ({ uid }) => shadowCrud.isTypeEnabled(uid),
  }
  for (const offer of options.offers) {
    // Extending a large schema builds all of it again.
    yield
    schema = addExtension(schema, offer(tools))
  }
  return schema
}

/** Whether users' code changes the schema and may have faults that only the build shows. */
export function isUsed({ extensions, resolversConfig }: GraphqlCustomization): boolean {
  return extensions.length + Object.keys(resolversConfig).length > 0
}

const PLACEHOLDER = 'ok'

/** A root type must have fields, so an empty one gets a placeholder until extensions are added. */
function rootType(name: string, fields: Record<string, Field>): GraphQLObjectType {
  const filled = Object.keys(fields).length > 0 ? fields : { [PLACEHOLDER]: { type: GraphQLBoolean } }
  return new GraphQLObjectType({ name, fields: filled })
}

function pruned(schema: GraphQLSchema, stays: (type: GraphQLNamedType) => boolean): GraphQLSchema {
  const kept = Object.values(schema.getTypeMap()).filter(
    (type) => stays(type) || (isObjectType(type) && type.getInterfaces().length > 0),
  )
  return new GraphQLSchema({
    query: withoutPlaceholder(schema.getQueryType(), true),
    mutation: withoutPlaceholder(schema.getMutationType(), false),
    subscription: subscriptionType(schema),
    types: kept,
    directives: schema.getDirectives(),
  })
}

/** Extensions add it as a plain type; only a new schema makes it a root. */
function subscriptionType(schema: GraphQLSchema): GraphQLObjectType | undefined {
  const type = schema.getSubscriptionType() ?? schema.getType('Subscription')
  return isObjectType(type) ? type : undefined
}

function withoutPlaceholder(
  type: GraphQLObjectType | null | undefined,
  needed: boolean,
): GraphQLObjectType | undefined {
  if (type === null || type === undefined) return undefined
  const config = type.toConfig()
  const { [PLACEHOLDER]: placeholder, ...fields } = config.fields
  if (placeholder === undefined || placeholder.type !== GraphQLBoolean) return type
  if (Object.keys(fields).length > 0) return new GraphQLObjectType({ ...config, fields })
  return needed ? type : undefined
}

function getLocaleCode(model: Model, { localeCodes }: SchemaRules): GraphQLScalarType | undefined {
  for (const { locale } of model.contentTypes.values()) {
    if (locale !== undefined) return createLocaleCode(locale.enum, localeCodes)
  }
  return undefined
}
