// `plugins.graphql.config` -> options with defaults.

import type { GraphqlLimits } from './selection/graphql-page.ts'

export interface GraphqlOptions {
  readonly endpoint: string
  readonly shadowCrud: boolean
  readonly limits: GraphqlLimits
  /** strapi-5: `v4CompatibilityMode`. */
  readonly v4Compatible: boolean
}

const AMOUNT_LIMIT = 100
const DEFAULT_LIMIT = 10

/** The schema of the file has checked the types already. */
export function parseOptions(config: Readonly<Record<string, unknown>>): GraphqlOptions {
  const { shadowCRUD = true } = config
  return {
    endpoint: buildEndpoint(config),
    shadowCrud: shadowCRUD !== false,
    limits: getLimits(config),
    v4Compatible: config['v4CompatibilityMode'] === true,
  }
}

/** The prefix of the REST API does not apply to it. */
export function buildEndpoint({ endpoint = '/graphql' }: Readonly<Record<string, unknown>>): string {
  return String(endpoint)
}

/**
 * A list shows at most `amountLimit` entries, or `maxLimit` if that is less; -1 means no limit. That `maxLimit` cuts lists
 * is not said, as recorded.
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
