// The graphql plugin: the content through a generated schema (spec 2.3, 4.5). It comes last: its schema holds what the
// plugins before it offer. Its libraries are loaded where it is on, and not otherwise.

import { invariant } from '../../errors/invariant.ts'
import type { GraphqlContext } from '../graphql-extension.ts'
import type { Plugin } from '../plugin.ts'
import type { Engine } from './engine.ts'
import { createExplorer } from './http/explorer.ts'
import { graphqlRoutes } from './http/graphql-routes.ts'
import { parseGraphqlSettings } from './http/graphql-settings.ts'
import { parseOptions } from './options.ts'

export const graphqlPlugin: Plugin = {
  name: 'graphql',
  enable({ config, whole }) {
    const options = parseOptions(config)
    const settings = parseGraphqlSettings(config, whole.server.environment)
    return {
      contribution: { plugin: 'graphql', contentTypes: {} },
      activate(context) {
        let engine: Engine | undefined
        const prepared = (): Engine => {
          invariant(engine !== undefined, 'a generation takes requests when it is prepared')
          return engine
        }
        return {
          async prepare() {
            const { createEngine } = await import('./engine.ts')
            engine = createEngine(context, options, settings, whole)
          },
          schemaDefinition: () => prepared().schemaDefinition(),
          routes: graphqlRoutes({
            settings,
            operations: () => prepared().operations,
            principalOf: context.guard.principalOf,
            contextOf: (request, principal): GraphqlContext => ({ request, principal }),
            explorer: settings.explorer ? createExplorer(settings.endpoint) : undefined,
            files: context.files,
          }),
        }
      },
    }
  },
}
