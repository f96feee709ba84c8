// Checks the parameters of a request (GraphQL over HTTP, "Request Parameters"). Throws RequestFault.

import { parseJson } from '../../../http/body/parse-json.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { Protocol } from './protocol.ts'
import { createJsonFault, createTextFault } from './request-fault.ts'

export interface Parameters {
  /** Undefined only if `persistedQuery` identifies the document. */
  readonly query: string | undefined
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly operationName: string | undefined
  readonly persistedQuery: PersistedQuery | undefined
}

interface PersistedQuery {
  readonly version: unknown
  readonly sha256Hash: unknown
}

export function parseParameters(
  given: Readonly<Record<string, unknown>>,
  { variables: words }: Pick<Protocol, 'variables'>,
): Parameters {
  const { query, operationName } = given
  const persistedQuery = buildPersistedQuery(getMap(given['extensions'], 'Extensions'))
  if (query !== undefined && query !== null && typeof query !== 'string') {
    throw createTextFault(400, 'GraphQL queries must be strings.')
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw createTextFault(400, 'Operation names must be strings.')
  }
  const text = typeof query === 'string' && query !== '' ? query : undefined
  if (text === undefined && persistedQuery === undefined) {
    throw createJsonFault(
      400,
      'GraphQL operations must contain a non-empty `query` or a `persistedQuery` extension.',
    )
  }
  return {
    query: text,
    variables: getVariables(given['variables'], words),
    operationName: operationName ?? undefined,
    persistedQuery,
  }
}

function getVariables(
  given: unknown,
  words: Protocol['variables'],
): Readonly<Record<string, unknown>> | undefined {
  if (words !== undefined && given !== undefined && given !== null && !isRecord(given))
    throw createJsonFault(400, typeof given === 'string' ? words.text : words.other)
  return getMap(given, 'Variables')
}

/** In a query string, the map is JSON text. */
function getMap(value: unknown, what: string): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined
  const read = typeof value === 'string' ? getJson(value, what) : value
  if (read === null) return undefined
  if (isRecord(read)) return read
  throw createJsonFault(
    400,
    what === 'Variables'
      ? 'Variables must be provided as an Object where each property is a variable value. Perhaps look to see if an unparsed JSON string was provided.'
      : `${what} must be provided as an Object.`,
  )
}

function getJson(text: string, what: string): unknown {
  try {
    return text.trim() === 'null' ? null : parseJson(text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw createTextFault(400, `${what} are invalid JSON.`)
  }
}

function buildPersistedQuery(
  extensions: Readonly<Record<string, unknown>> | undefined,
): PersistedQuery | undefined {
  const given = extensions?.['persistedQuery']
  return isRecord(given) ? { version: given['version'], sha256Hash: given['sha256Hash'] } : undefined
}
