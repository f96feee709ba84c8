// Parses `plugins.graphql.config` into endpoint settings with defaults; the file's schema has already checked
// the types.

import type { ApiVersion } from '../../../config/config.ts'
import { buildRecord } from '../../../lib/is-record.ts'
import { type Protocol, protocols } from './protocol.ts'

export interface GraphqlSettings {
  readonly endpoint: string
  /** 0: no limit. */
  readonly depthLimit: number
  /** Tokens per document. */
  readonly tokenLimit: number
  readonly explorer: boolean
  readonly introspection: boolean
  /** Whether errors suggest similar names, which reveals as much as the schema. */
  readonly suggestions: boolean
  readonly tracing: boolean
  /** `when-writing`: requests that another site can send without a CORS preflight may only read. */
  readonly csrfPrevention: 'always' | 'when-writing' | 'never'
  /** Whether errors contain messages and stacks of internal faults. */
  readonly exposesFaults: boolean
  readonly explains: boolean
  readonly persistedQueries: boolean
  readonly batching: boolean
  readonly protocol: Protocol
}

export function parseGraphqlSettings(
  config: Readonly<Record<string, unknown>>,
  environment: string,
  apiVersion: ApiVersion,
): GraphqlSettings {
  const apollo = buildRecord(config['apolloServer'])
  const protocol = protocols[apiVersion]
  const production = environment === 'production'
  const introspection = flag(apollo['introspection'], !production)
  return {
    endpoint: typeof config['endpoint'] === 'string' ? config['endpoint'] : '/graphql',
    depthLimit: typeof config['depthLimit'] === 'number' ? config['depthLimit'] : 10,
    tokenLimit: typeof config['tokenLimit'] === 'number' ? config['tokenLimit'] : 5000,
    explorer: !production || config['playgroundAlways'] === true,
    introspection,
    suggestions: !flag(apollo['hideSchemaDetailsFromClientErrors'], !introspection),
    tracing: flag(apollo['tracing'], false),
    csrfPrevention: getCsrf(apollo['csrfPrevention']),
    exposesFaults: flag(apollo['includeStacktraceInErrorResponses'], environment === 'development'),
    explains: environment === 'development',
    persistedQueries: flag(apollo['persistedQueries'], true),
    batching: flag(apollo['allowBatchedHttpRequests'], protocol.batches),
    protocol,
  }
}

function flag(value: unknown, otherwise: boolean): boolean {
  return typeof value === 'boolean' ? value : otherwise
}

function getCsrf(value: unknown): GraphqlSettings['csrfPrevention'] {
  if (value === true) return 'always'
  return value === false ? 'never' : 'when-writing'
}
