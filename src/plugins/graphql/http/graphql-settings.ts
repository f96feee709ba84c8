// `plugins.graphql.config` -> how the endpoint answers, with defaults. Its shape was checked with
// the file's: an option of `apolloServer` that is not listed in the file's schema never comes this far.

import { isRecord } from '../../../util/is-record.ts'

export interface GraphqlSettings {
  readonly endpoint: string
  /** 0: no limit. */
  readonly depthLimit: number
  readonly explorer: boolean
  readonly introspection: boolean
  /** Whether errors name what a client may have meant: as private as the schema. */
  readonly suggestions: boolean
  readonly tracing: boolean
  /** `when-writing`: what a page of another site can send without asking first may read, and no more. */
  readonly csrfPrevention: 'always' | 'when-writing' | 'never'
  /** Whether errors carry the messages and stacks of faults. */
  readonly exposesFaults: boolean
  readonly persistedQueries: boolean
  readonly batching: boolean
}

export function parseGraphqlSettings(
  config: Readonly<Record<string, unknown>>,
  environment: string,
): GraphqlSettings {
  const apollo = isRecord(config['apolloServer']) ? config['apolloServer'] : {}
  const production = environment === 'production'
  const introspection = flag(apollo['introspection'], !production)
  return {
    endpoint: typeof config['endpoint'] === 'string' ? config['endpoint'] : '/graphql',
    depthLimit: typeof config['depthLimit'] === 'number' ? config['depthLimit'] : 10,
    explorer: !production || config['playgroundAlways'] === true,
    introspection,
    suggestions: introspection,
    tracing: flag(apollo['tracing'], false),
    csrfPrevention: csrfOf(apollo['csrfPrevention']),
    exposesFaults: flag(apollo['includeStacktraceInErrorResponses'], environment === 'development'),
    persistedQueries: flag(apollo['persistedQueries'], true),
    batching: flag(apollo['allowBatchedHttpRequests'], true),
  }
}

function flag(value: unknown, otherwise: boolean): boolean {
  return typeof value === 'boolean' ? value : otherwise
}

function csrfOf(value: unknown): GraphqlSettings['csrfPrevention'] {
  if (value === true) return 'always'
  return value === false ? 'never' : 'when-writing'
}
