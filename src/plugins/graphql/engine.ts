// The GraphQL engine of a generation: its schema, and the operations that run against it.

import { lexicographicSortSchema, printSchema } from 'graphql'
import type { Principal } from '../../auth/principal.ts'
import type { Config } from '../../config/config.ts'
import type { Diagnostic, Report } from '../../errors/diagnostic.ts'
import { deriveRequest } from '../../http/derive-request.ts'
import { secretNames } from '../../model/secret-names.ts'
import { objectId } from '../../util/exact-key.ts'
import { nextTurn } from '../../util/next-turn.ts'
import type { GraphqlContext } from '../graphql-extension.ts'
import type { PluginContext } from '../plugin.ts'
import { GRAPHQL_CUSTOMIZATION, GRAPHQL_EXTENSION } from '../services.ts'
import { type FieldOptions, guardsInCode, oneSidedPolicies } from './checks/one-sided-policies.ts'
import { isEncodable } from './encoding/encode-leaf.ts'
import { createOperations } from './execution/create-operations.ts'
import type { Operations } from './execution/operations.ts'
import { encoderOf, isImpersonal, isPlain, isSafeUnion } from './fields/field-facts.ts'
import type { GraphqlSettings } from './http/graphql-settings.ts'
import type { GraphqlOptions } from './options.ts'
import { createEntryResolvers } from './resolvers/create-entry-resolvers.ts'
import { buildSchema } from './schema/build-schema.ts'
import { assertRootField } from './schema/protect-fields.ts'

export interface Engine {
  readonly operations: Operations
  schemaDefinition(): string
}

export async function createEngine(
  context: PluginContext,
  options: GraphqlOptions,
  settings: GraphqlSettings,
  whole: Config,
  report: Report,
): Promise<Engine> {
  const { model, content } = context
  const resolvers = createEntryResolvers({ model, content, limits: options.limits })
  const customization = context.need(GRAPHQL_CUSTOMIZATION)
  const { shadowCrud } = customization
  const checkGuards = (fields: ReadonlyMap<string, FieldOptions>): readonly Diagnostic[] =>
    guardsInCode(whole, customization.registers)
      ? oneSidedPolicies(whole, model, context.actions, { shadowCrud, fields })
      : []
  const schema = await buildSchema({
    model,
    resolvers,
    shadowCrud,
    v4Compatible: options.v4Compatible,
    generates: options.shadowCrud,
    offers: context.getAll(GRAPHQL_EXTENSION),
    customization: { ...customization, checkGuards },
    report,
  })
  await nextTurn()
  const operations = createOperations({
    ...settings,
    schema,
    errorPaths: settings.protocol.errorPaths,
    refusedIntrospection: settings.protocol.refusedIntrospection,
    unresolved: settings.protocol.unresolved,
    limits: { depth: settings.depthLimit, tokens: settings.tokenLimit },
    isPlain: (_type, field) => isPlain(field),
    isSafeAbstract: isSafeUnion,
    assertAllowed: (field, asking) => assertRootField(field, asking as GraphqlContext),
    encodability: { encoderOf, isEncodable },
    callers: {
      isImpersonal,
      callerOf: (asking) => context.guard.callerOf((asking as GraphqlContext).request),
      keyOf(principal) {
        const { kind, name, permissions } = principal as Principal
        return `${kind} ${name} ${objectId(permissions)}`
      },
      contextFor(asking, principal) {
        const { request } = asking as GraphqlContext
        return { ...asking, request: deriveRequest(request, {}), principal, state: undefined }
      },
      signalOf: (asking) => (asking as GraphqlContext).request.signal,
    },
    isSecretName: secretNames([...model.contentTypes.values(), ...model.components.values()]),
    onFault: (fault, operation) =>
      context.onFault(fault, (operation as GraphqlContext | undefined)?.request.id),
  })
  return { operations, schemaDefinition: () => printSchema(lexicographicSortSchema(schema)) }
}
