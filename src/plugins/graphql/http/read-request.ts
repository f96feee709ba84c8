// Reads GraphQL requests from a query string, a JSON body or a form; a JSON array holds several. Throws
// RequestFault and ApiError.

import { type ParsedBody, parseBody } from '../../../http/body/parse-body.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { type FormReader, withGraphqlForm } from './graphql-form.ts'
import type { GraphqlSettings } from './graphql-settings.ts'
import { type Parameters, parseParameters } from './parse-parameters.ts'
import { hasPreflightedType, type Protocol } from './protocol.ts'
import { createJsonFault, createTextFault, NO_BODY } from './request-fault.ts'

export interface RequestedOperations {
  readonly requests: readonly Parameters[]
  readonly batched: boolean
  /** Another site could have sent the request without a CORS preflight, so it must not write. */
  readonly readOnly: boolean
}

type ReadSettings = Pick<GraphqlSettings, 'csrfPrevention' | 'batching' | 'protocol'>

/** Each request of a batch is checked and run like a separate one. */
const MAX_BATCH = 10

/** In a query string, variables are JSON text. */
const IN_QUERY = { variables: undefined }

export function readQuery(request: HttpRequest): RequestedOperations {
  const given: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(request.query)) {
    if (Object.hasOwn(given, name))
      throw createTextFault(400, `The query string has two "${name.slice(0, 50)}".`)
    if (name !== '__proto__') given[name] = value
  }
  if (given['query'] === undefined && given['extensions'] === undefined) {
    throw createTextFault(400, 'GET query missing.')
  }
  return { requests: [parseParameters(given, IN_QUERY)], batched: false, readOnly: true }
}

interface FileReader extends Pick<FormReader, 'files'> {
  /** Called once for each request that gets files, before the first file is received. Throws RequestFault. */
  admit(parameters: Parameters, variables: readonly string[]): void
}

/**
 * Calls `use` with the requests, then releases their files. `read`: the body's bytes, if they were already
 * read.
 */
export function withBody<T>(
  request: HttpRequest,
  settings: ReadSettings,
  reader: FileReader,
  use: (operations: RequestedOperations) => T | Promise<T>,
  read?: Uint8Array,
): T | Promise<T> {
  const parsed = parseBody(request, read)
  return parsed instanceof Promise
    ? parsed.then((body) => withParsed(request, settings, reader, use, body))
    : withParsed(request, settings, reader, use, parsed)
}

function withParsed<T>(
  request: HttpRequest,
  settings: ReadSettings,
  { files, admit }: FileReader,
  use: (operations: RequestedOperations) => T | Promise<T>,
  body: ParsedBody,
): T | Promise<T> {
  if (body.kind === 'none') throw createTextFault(400, NO_BODY)
  if (body.kind === 'multipart' && !settings.protocol.forms) throw createTextFault(400, NO_BODY)
  if (body.kind === 'multipart') {
    assertPreflighted(request, settings, settings.csrfPrevention !== 'never')
    const form: FormReader = {
      files,
      admit(value, places) {
        const { requests } = getOperations(value, settings)
        for (const [index, parameters] of requests.entries()) {
          const own = places.filter((place) => (place.index ?? 0) === index)
          if (own.length > 0) admit(parameters, [...new Set(own.map(({ variable }) => variable))])
        }
      },
    }
    return withGraphqlForm(request, body.boundary, form, (value) =>
      use({ ...getOperations(value, settings), readOnly: false }),
    )
  }
  const isForm = (request.header('content-type') ?? '').trimStart().toLowerCase().startsWith(FORM)
  if (isForm) assertPreflighted(request, settings, settings.csrfPrevention === 'always')
  return use({ ...getOperations(body.value, settings), readOnly: isForm })
}

const FORM = 'application/x-www-form-urlencoded'

function getOperations(
  value: unknown,
  { batching, protocol }: ReadSettings,
): Pick<RequestedOperations, 'requests' | 'batched'> {
  if (!Array.isArray(value)) return { requests: [buildRequest(value, protocol)], batched: false }
  if (!batching) throw createJsonFault(400, 'Operation batching disabled.')
  if (value.length === 0) throw createJsonFault(400, 'No operations found in request.')
  if (value.length > MAX_BATCH) {
    throw createJsonFault(400, `A request may hold at most ${MAX_BATCH} operations, not ${value.length}.`)
  }
  return { requests: value.map((one) => buildRequest(one, protocol)), batched: true }
}

function buildRequest(value: unknown, protocol: Protocol): Parameters {
  if (!isRecord(value) || Object.keys(value).length === 0) throw createTextFault(400, NO_BODY)
  return parseParameters(value, protocol)
}

const PREFLIGHTED = ['x-apollo-operation-name', 'apollo-require-preflight']

/** Browsers send a CORS preflight before these headers go to another site, and this server refuses it. */
function assertPreflighted(request: HttpRequest, { protocol }: ReadSettings, needed: boolean): void {
  if (
    !needed ||
    (protocol.preflightsAll && hasPreflightedType(request)) ||
    PREFLIGHTED.some((name) => (request.header(name) ?? '') !== '')
  )
    return
  throw createJsonFault(400, protocol.csrf, 'BAD_REQUEST')
}

function preflightsAll({ protocol, csrfPrevention }: ReadSettings): boolean {
  return protocol.preflightsAll && csrfPrevention !== 'never'
}

export function preflightsQueries(settings: ReadSettings): boolean {
  return preflightsAll(settings) || settings.csrfPrevention === 'always'
}

/** Checks any method, before anything else of the request is read. */
export function assertNoForgery(request: HttpRequest, settings: ReadSettings): void {
  assertPreflighted(request, settings, preflightsAll(settings))
}

/** Checks a query in a URL before it is read. */
export function assertNoForgedQuery(request: HttpRequest, settings: ReadSettings): void {
  assertPreflighted(request, settings, preflightsQueries(settings))
}
