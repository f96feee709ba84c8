// Checks the model, the plugin's settings and the `graphql` section for GraphQL.

import { type Fault, getSettings } from '../../../config/plugin-rule.ts'
import type { RawConfig } from '../../../config/raw-config.ts'
import { type CheckContext, isPluginOn } from '../../../model/checking.ts'
import { listPathOwners } from '../../../model/checks/check-paths.ts'
import type { Plugin } from '../../plugin.ts'
import { buildEndpoint } from '../options.ts'
import { checkAttributes } from './check-attributes.ts'
import { checkNames } from './check-names.ts'
import { checkSection } from './check-section.ts'
import { listReservedNames } from './reserved-names.ts'

/** The section is checked even if the plugin is off, since it may be switched on later. */
export function checkGraphql(checking: CheckContext, plugins: readonly Plugin[]): void {
  const reserved = listReservedNames(plugins)
  if (isPluginOn(checking, 'graphql')) {
    checkEndpoint(checking)
    checkNames(checking, reserved)
    checkAttributes(checking)
  }
  checkSection(checking, reserved)
  checkUnused(checking)
}

/** The server answers these paths before any route. */
const serverPaths: ReadonlySet<string> = new Set(['/_health', '/_ready', '/metrics'])

function checkEndpoint(checking: CheckContext): void {
  const { config, fault } = checking
  const { prefix } = config.rest
  const endpoint = buildEndpoint(config.plugins['graphql']?.config ?? {})
  const owner = serverPaths.has(endpoint)
    ? 'the server itself'
    : [...listPathOwners(checking)].find(([segment]) => endpoint === `${prefix}/${segment}`)?.[1]
  if (owner !== undefined) {
    const path = ['plugins', 'graphql', 'config', 'endpoint']
    fault('MOD004', path, `the GraphQL endpoint and ${owner} would both answer at ${endpoint}`, {
      help: 'give the endpoint another path, such as "/graphql"',
    })
  }
  for (const [index, { method, path }] of config.routes.entries()) {
    if (`${prefix}${path}` !== endpoint || !['GET', 'POST'].includes(method)) continue
    fault('MOD073', ['routes', index, 'path'], `the GraphQL endpoint answers ${method} ${endpoint}`)
  }
}

function checkUnused(checking: CheckContext): void {
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

export function checkLimits(raw: RawConfig, fault: Fault): void {
  const { defaultLimit, maxLimit = -1, amountLimit = -1 } = getSettings(raw, 'graphql') ?? {}
  for (const [name, most] of Object.entries({ maxLimit, amountLimit })) {
    if (most === 0) {
      const path = ['plugins', 'graphql', 'config', name]
      fault('CFG055', path, `with "${name}: 0" no list would show an entry`, 'write -1 for no limit')
      continue
    }
    if (typeof defaultLimit !== 'number' || typeof most !== 'number' || most < 0 || defaultLimit <= most)
      continue
    const path = ['plugins', 'graphql', 'config', 'defaultLimit']
    const message = `"defaultLimit" (${defaultLimit}) is above "${name}" (${most})`
    fault('CFG055', path, message, 'lower the one or raise the other')
  }
}
