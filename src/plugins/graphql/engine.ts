// The GraphQL engine of an app: its schema, and the operations that run against it.

import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql'
import type { Principal } from '../../access/principal.ts'
import type { Config } from '../../config/config.ts'
import { deriveRequest } from '../../http/derive-request.ts'
import type { Diagnostic, Report } from '../../lib/errors/diagnostic.ts'
import { getObjectId } from '../../lib/exact-key.ts'
import { waitForTurn } from '../../lib/next-turn.ts'
import { createSecretNames } from '../../model/secret-names.ts'
import type { GraphqlContext } from '../graphql-extension.ts'
import type { PluginContext } from '../plugin.ts'
import { GRAPHQL_CUSTOMIZATION, GRAPHQL_EXTENSION } from '../services.ts'
import { type FieldOptions, findOneSidedPolicies, guardsInCode } from './checks/one-sided-policies.ts'
import { createOperations } from './execution/create-operations.ts'
import type { Operations } from './execution/operations.ts'
import {
  isGenerated,
  isImpersonal,
  isPlain,
  isProperty,
  isSafeUnion,
  resolveFacts,
  type ShownPart,
} from './fields/field-facts.ts'
import type { GraphqlSettings } from './http/graphql-settings.ts'
import type { GraphqlOptions } from './options.ts'
import { createEntryResolvers } from './resolvers/create-entry-resolvers.ts'
import { buildPlainSchema, buildSchema, isUsed } from './schema/build-schema.ts'
import { assertRootField } from './schema/protect-fields.ts'
import { completeEntry, completeResponse } from './selection/entry-value.ts'

export interface Engine {
  readonly operations: Operations
  schemaDefinition(): string
}

/**
 * Reports faults of the schema. The returned function makes the engine and is called once. The schema is
 * built ahead with users' code, whose faults only building reveals, and in production, where no request
 * should wait; otherwise at the first call.
 */
export async function prepareEngine(
  context: PluginContext,
  options: GraphqlOptions,
  settings: GraphqlSettings,
  whole: Config,
  report: Report,
): Promise<() => Engine> {
  const { model, content, operations } = context
  const resolvers = createEntryResolvers({ model, content, limits: options.limits })
  const customization = context.need(GRAPHQL_CUSTOMIZATION)
  const { shadowCrud } = customization
  const checkGuards = (fields: ReadonlyMap<string, FieldOptions>): readonly Diagnostic[] =>
    guardsInCode(whole, customization.registers)
      ? findOneSidedPolicies(whole, model, context.actions, { shadowCrud, fields })
      : []
  const parts = {
    model,
    operations,
    resolvers,
    shadowCrud,
    v4Compatible: options.v4Compatible,
    generates: options.shadowCrud,
    offers: context.getAll(GRAPHQL_EXTENSION),
  }
  if (!isUsed(customization)) checkGuards(new Map()).forEach(report)
  if (isUsed(customization) || whole.server.environment !== 'development') {
    const schema = await buildSchema({ ...parts, customization: { ...customization, checkGuards }, report })
    await waitForTurn()
    const engine = getEngine(schema, context, settings)
    return () => engine
  }
  return () => getEngine(buildPlainSchema(parts), context, settings)
}

function getEngine(schema: GraphQLSchema, context: PluginContext, settings: GraphqlSettings): Engine {
  const { model } = context
  const operations = createOperations({
    ...settings,
    schema,
    errorPaths: settings.protocol.errorPaths,
    refusedIntrospection: settings.protocol.refusedIntrospection,
    unresolved: settings.protocol.unresolved,
    limits: { depth: settings.depthLimit, tokens: settings.tokenLimit },
    kinds: { isPlain, isProperty, getCompletion },
    isGenerated,
    isSafeAbstract: isSafeUnion,
    inTransaction: (task) => context.content.inTransaction(task),
    assertAllowed: (field, asking) => assertRootField(field, asking as GraphqlContext),
    callers: {
      isImpersonal,
      getCaller: (asking) => context.guard.getCaller((asking as GraphqlContext).request),
      buildKey(principal) {
        const { kind, name, permissions } = principal as Principal
        return `${kind} ${name} ${getObjectId(permissions)}`
      },
      contextFor(asking, principal) {
        const { request } = asking as GraphqlContext
        return { ...asking, request: deriveRequest(request, {}), principal, state: undefined }
      },
      getSignal: (asking) => (asking as GraphqlContext).request.signal,
    },
    isSecretName: createSecretNames([...model.contentTypes.values(), ...model.components.values()]),
    onFault: (fault, operation) =>
      context.onFault(fault, (operation as GraphqlContext | undefined)?.request.id),
  })
  return { operations, schemaDefinition: () => printSchema(lexicographicSortSchema(schema)) }
}

export function getCompletion(
  field: GraphQLField<unknown, unknown>,
): ((value: unknown) => unknown) | undefined {
  if (resolveFacts(field).custom !== true) return undefined
  const type = getNamedType(field.type)
  if (!isObjectType(type)) return undefined
  const shows = new Set<ShownPart | undefined>(
    Object.values(type.getFields())
      .filter(isProperty)
      .map((each) => resolveFacts(each).shows),
  )
  if (shows.has('entry') || shows.has('entries')) return completeResponse
  return shows.has('attributes') ? completeEntry : undefined
}
