// Lists the HTTP differences between the GraphQL servers of Strapi 4 (Apollo Server 3) and Strapi 5 (Apollo
// Server 4).

import type { ApiVersion } from '../../../config/config.ts'
import type { Reply } from '../../../http/reply.ts'
import type { HttpRequest } from '../../../http/request.ts'

export interface Protocol {
  readonly contentType: string
  /** Whether every request needs a header or content type that triggers a CORS preflight in browsers. */
  readonly preflightsAll: boolean
  /** Whether batches are accepted by default. */
  readonly batches: boolean
  /** Whether a request is refused if `Accept` names only types that this server does not send. */
  readonly checksAccept: boolean
  /** Whether resolver errors include their path. */
  readonly errorPaths: boolean
  /** The `validationErrorCode` of a refused introspection query. */
  readonly refusedIntrospection: string | undefined
  /** The error code for a wrong `operationName`. */
  readonly unresolved: string
  /** Whether files can be sent in a form. */
  readonly forms: boolean
  readonly csrf: string
  readonly getWrites: string | undefined
  readonly variables: Readonly<Record<'text' | 'other', string>> | undefined
  /** `plain`: Strapi 4 sends the reason as text. */
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

/** Content types that another site can send without a CORS preflight. */
const SIMPLE = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']

export function hasPreflightedType(request: HttpRequest): boolean {
  const [type = ''] = (request.header('content-type') ?? '').split(';')
  const named = type.trim().toLowerCase()
  return named !== '' && !SIMPLE.includes(named)
}
