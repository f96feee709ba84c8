// The graphql plugin: the content through a generated schema (spec 2.3, 4.5). It comes last: its schema holds what the
// plugins before it offer. Its libraries are loaded where it is on, and not otherwise.

import { invariant } from '../../errors/invariant.ts'
import type { Plugin } from '../plugin.ts'
import type { Engine } from './engine.ts'
import { parseOptions } from './options.ts'

export const graphqlPlugin: Plugin = {
  name: 'graphql',
  enable({ config, whole }) {
    const options = parseOptions(config)
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
            engine = createEngine(context, options, whole)
          },
          schemaDefinition: () => prepared().schemaDefinition(),
          routes: [
            {
              method: 'POST',
              path: options.endpoint,
              handler: (request) => prepared().handle(request),
            },
          ],
        }
      },
    }
  },
}
