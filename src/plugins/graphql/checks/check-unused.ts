// Warns about parts of the `graphql` section that have no effect.

import { type Checking, isPluginOn } from '../../../model/checking.ts'

export function checkUnused(checking: Checking): void {
  const { config } = checking
  const { shadowCRUD, extensions, resolversConfig } = config.graphql
  const said = [...Object.keys(shadowCRUD), ...extensions, ...Object.keys(resolversConfig)].length > 0
  if (said && !isPluginOn(checking, 'graphql')) {
    checking.fault('MOD071', ['graphql'], 'this section has no effect: the graphql plugin is switched off', {
      at: 'key',
      severity: 'warning',
      help: 'enable it with "plugins: { graphql: true }"',
    })
  } else if (
    Object.keys(shadowCRUD).length > 0 &&
    config.plugins['graphql']?.config['shadowCRUD'] === false
  ) {
    checking.fault('MOD071', ['graphql', 'shadowCRUD'], 'this has no effect: nothing is generated', {
      at: 'key',
      severity: 'warning',
      help: 'remove it, or "shadowCRUD: false" in plugins.graphql.config',
    })
  }
}
