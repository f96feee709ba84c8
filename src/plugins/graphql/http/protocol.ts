// The differences between the GraphQL servers of Strapi 4 (Apollo Server 3) and Strapi 5 (Apollo Server 4) over HTTP.

import type { ApiVersion } from '../../../config/config.ts'
import type { Reply } from '../../../http/reply.ts'
import type { HttpRequest } from '../../../http/request.ts'

export interface Protocol {
  /** The content type of answers in JSON. */
  readonly contentType: string
  /** Whether requests of every kind need a header or a content type that browsers send a CORS preflight for. */
  readonly preflightsAll: boolean
  /** Whether several operations in one request are answered, unless the file says. */
  readonly batches: boolean
  /** Whether types that nothing here is of are refused where `Accept` names no other. */
  readonly checksAccept: boolean
  /** Whether an error of a resolver says where in the answer it happened. */
  readonly errorPaths: boolean
  /** The `validationErrorCode` of a query about the schema where those are not answered. */
  readonly refusedIntrospection: string | undefined
  /** The code of an error about the name of the operation. */
  readonly unresolved: string
  /** Whether files can be sent along. */
  readonly forms: boolean
  readonly csrf: string
  readonly getWrites: string | undefined
  readonly variables: Readonly<Record<'text' | 'other', string>> | undefined
  /** The reply that says why a request was refused. `plain`: Strapi 4 says it as text. */
  refusal(fault: Fault): Reply
}

export interface Fault {
  readonly status: number
  readonly message: string
  readonly code: string | undefined
  readonly plain: boolean
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const CSRF =
  "This operation has been blocked as a potential Cross-Site Request Forgery (CSRF). Please either specify a 'content-type' header (with a type that is not one of application/x-www-form-urlencoded, multipart/form-data, text/plain) or provide a non-empty value for one of the following headers: x-apollo-operation-name, apollo-require-preflight"

export const protocols: Readonly<Record<ApiVersion, Protocol>> = {
  'strapi-4': {
    contentType: 'application/json',
    preflightsAll: false,
    batches: true,
    checksAccept: false,
    errorPaths: false,
    refusedIntrospection: undefined,
    unresolved: 'INTERNAL_SERVER_ERROR',
    forms: true,
    csrf: CSRF,
    getWrites: undefined,
    variables: undefined,
    refusal: ({ status, message, code = 'INTERNAL_SERVER_ERROR', plain, headers }) =>
      plain
        ? { status, body: message, contentType: 'text/plain; charset=utf-8', headers }
        : { ...buildError(status, message, code), contentType: 'application/json', headers },
  },
  'strapi-5': {
    contentType: 'application/json; charset=utf-8',
    preflightsAll: true,
    batches: false,
    checksAccept: true,
    errorPaths: true,
    refusedIntrospection: 'INTROSPECTION_DISABLED',
    unresolved: 'OPERATION_RESOLUTION_FAILURE',
    forms: false,
    csrf: `${CSRF}\n`,
    getWrites: 'GET requests only support query operations, not mutation operations',
    variables: {
      text: '`variables` in a POST body should be provided as an object, not a recursively JSON-encoded string.',
      other: '`variables` in a POST body must be an object if provided.',
    },
    refusal: ({ status, message, code = 'BAD_REQUEST', headers }) => ({
      ...buildError(status, message, code),
      contentType: 'application/json; charset=utf-8',
      headers,
    }),
  },
}

function buildError(status: number, message: string, code: string): Pick<Reply, 'status' | 'body'> {
  return { status, body: JSON.stringify({ errors: [{ message, extensions: { code } }] }) }
}

/** Types that a page of another site can send without a preflight. */
const SIMPLE = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']

/** Whether a browser sends a CORS preflight before a request with this content type goes to another site. */
export function hasPreflightedType(request: HttpRequest): boolean {
  const [type = ''] = (request.header('content-type') ?? '').split(';')
  const named = type.trim().toLowerCase()
  return named !== '' && !SIMPLE.includes(named)
}
