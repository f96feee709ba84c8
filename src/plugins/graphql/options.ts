// `plugins.graphql.config` -> options with defaults.

import type { GraphqlLimits } from './selection/graphql-page.ts'

export interface GraphqlOptions {
  readonly endpoint: string
  readonly shadowCrud: boolean
  readonly limits: GraphqlLimits
  readonly v4Compatible: boolean
}

const AMOUNT_LIMIT = 100
const DEFAULT_LIMIT = 10

/** The file's schema has already checked the types. */
export function parseOptions(config: Readonly<Record<string, unknown>>): GraphqlOptions {
  const { shadowCRUD = true } = config
  return {
    endpoint: buildEndpoint(config),
    shadowCrud: shadowCRUD !== false,
    limits: getLimits(config),
    v4Compatible: config['v4CompatibilityMode'] === true,
  }
}

/** The prefix of the REST API does not apply. */
export function buildEndpoint({ endpoint = '/graphql' }: Readonly<Record<string, unknown>>): string {
  return String(endpoint)
}

/**
 * A list shows at most `amountLimit` or `maxLimit` entries, whichever is less; -1 means no limit. As in
 * Strapi, cuts by `maxLimit` are not reported.
 */
function getLimits(config: Readonly<Record<string, unknown>>): GraphqlLimits {
  const caps = [config['amountLimit'] ?? AMOUNT_LIMIT, config['maxLimit'] ?? -1].map(Number)
  const set = caps.filter((cap) => cap >= 0)
  const maxLimit = set.length === 0 ? null : Math.min(...set)
  return {
    defaultLimit: Number(config['defaultLimit'] ?? DEFAULT_LIMIT),
    maxLimit,
    showsCuts: maxLimit === caps[0],
  }
}
