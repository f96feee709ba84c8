// Checks the path of the GraphQL endpoint: no other part of the server may answer at it.

import { pathOwners } from '../../../model/check-paths.ts'
import type { Checking } from '../../../model/checking.ts'
import { endpointOf } from '../options.ts'

/** These paths are answered before any route. */
const serverPaths: ReadonlySet<string> = new Set(['/_health', '/_ready'])

export function checkEndpoint(checking: Checking): void {
  const { config, fault } = checking
  const { prefix } = config.rest
  const endpoint = endpointOf(config.plugins['graphql']?.config ?? {})
  const owner = serverPaths.has(endpoint)
    ? 'the server itself'
    : [...pathOwners(checking)].find(([segment]) => endpoint === `${prefix}/${segment}`)?.[1]
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
