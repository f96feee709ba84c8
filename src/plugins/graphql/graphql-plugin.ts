// Serves the content through a generated GraphQL schema. It is the last plugin, because its schema includes
// additions of the others.

import type { Principal } from '../../access/principal.ts'
import type { Expansion } from '../../config/shorthand/expansion.ts'
import { liftInto } from '../../config/shorthand/lift.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Diagnostic } from '../../lib/errors/diagnostic.ts'
import { invariant } from '../../lib/errors/invariant.ts'
import type { GraphqlContext } from '../graphql-extension.ts'
import type { Plugin } from '../plugin.ts'
import {
  FILE_INTAKE,
  GRAPHQL_ENDPOINT,
  IDEMPOTENCY,
  RESPONSE_CACHE,
  SCHEMA_DEFINITION,
  SUBSCRIPTION_LIMITS,
} from '../services.ts'
import { readShadowCrud } from '../shadow-crud-handles.ts'
import { checkGraphql, checkLimits } from './checks/check-graphql.ts'
import { findOneSidedPolicies, guardsInCode, listWrittenFields } from './checks/one-sided-policies.ts'
import type { Engine } from './engine.ts'
import type { Operations } from './execution/operations.ts'
import { createExplorer } from './http/explorer.ts'
import { createGraphqlRoutes } from './http/graphql-routes.ts'
import { parseGraphqlSettings } from './http/graphql-settings.ts'
import { describeOperations } from './operations.ts'
import { parseOptions } from './options.ts'
import { createGraphqlSockets } from './socket/graphql-sockets.ts'

export const graphqlPlugin: Plugin = {
  name: 'graphql',
  shorthands: { expand: [expandSwitch] },
  checkSettings: checkLimits,
  checkModel: checkGraphql,
  enable({ config, whole }) {
    const options = parseOptions(config)
    const settings = parseGraphqlSettings(config, whole.server.environment, whole.dialect)
    return {
      contribution: { plugin: 'graphql', contentTypes: {} },
      addresses: [options.endpoint],
      describeOperations: describeOperations(settings),
      checkWithCode: ({ model, actions, registers }) =>
        guardsInCode(whole, registers)
          ? []
          : findOneSidedPolicies(whole, model, actions, {
              shadowCrud: readShadowCrud(whole.graphql.shadowCRUD, model).settings,
              fields: listWrittenFields(whole),
            }),
      activate(context) {
        let make: (() => Engine) | undefined
        let engine: Engine | undefined
        let isRetired = false
        const prepared = (): Engine => {
          invariant(make !== undefined, 'requests arrive after the schema was checked')
          const isFirst = engine === undefined
          engine ??= make()
          if (isFirst && isRetired) engine.operations.end()
          return engine
        }
        const resolveContext = (request: HttpRequest, principal: Principal): GraphqlContext => ({
          request,
          principal,
        })
        const operations = (): Operations => prepared().operations
        const { getPrincipal: findPrincipal } = context.guard
        const { onFault } = context
        const limits = context.need(SUBSCRIPTION_LIMITS)
        const sockets = createGraphqlSockets({
          protocol: settings.protocol,
          operations,
          findPrincipal,
          buildContext: resolveContext,
          limits,
          onFault,
        })
        return {
          // Needs no database, so schema errors are reported before any table is changed.
          async check() {
            const { prepareEngine } = await import('./engine.ts')
            const diagnostics: Diagnostic[] = []
            make = await prepareEngine(context, options, settings, whole, (fault) => diagnostics.push(fault))
            return diagnostics
          },
          provides: [
            SCHEMA_DEFINITION.provide(() => prepared().schemaDefinition()),
            GRAPHQL_ENDPOINT.provide(settings.endpoint),
          ],
          routes: createGraphqlRoutes({
            settings,
            operations,
            findPrincipal,
            buildContext: resolveContext,
            socketReply: sockets.replyTo,
            cache: context.need(RESPONSE_CACHE),
            idempotency: context.need(IDEMPOTENCY),
            limits,
            explorer: settings.explorer ? createExplorer(settings.endpoint) : undefined,
            files: context.get(FILE_INTAKE),
          }),
          retire() {
            isRetired = true
            engine?.operations.end()
            return sockets.end()
          },
        }
      },
    }
  },
}

function expandSwitch(expansion: Expansion): void {
  if (typeof expansion.at(['graphql']) === 'boolean') liftInto(expansion, 'graphql', ['plugins', 'graphql'])
}
