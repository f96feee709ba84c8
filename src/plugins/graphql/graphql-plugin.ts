// The graphql plugin: the content through a generated schema (spec 2.3, 4.5). It comes last: its schema holds what the
// plugins before it offer.

import type { Plugin } from '../plugin.ts'
import { createEndpoint } from './endpoint.ts'
import { parseOptions } from './options.ts'

export const graphqlPlugin: Plugin = {
  name: 'graphql',
  enable({ config, whole }) {
    const options = parseOptions(config)
    return {
      contribution: { plugin: 'graphql', contentTypes: {} },
      activate: (context) => createEndpoint(context, options, whole),
    }
  },
}
