// Formats errors for clients. An ApiError has REST's message and a code; GraphQLErrors are public; any other
// error is reported to `onFault` and hidden.

import { GraphQLError } from 'graphql'
import { ApiError, type ApiErrorName, MAX_ERRORS } from '../../../lib/errors/api-error.ts'
import { SERIALIZER_FAULT } from './serialize-leaf.ts'

export interface ErrorFormat {
  /** Whether results show a fault's message and stack, for developers of the server. */
  readonly exposesFaults: boolean
  readonly suggestions: boolean
  /** Whether refusals explain themselves, in development. */
  readonly explains: boolean
  /** Whether a resolver's error has its path. */
  readonly errorPaths?: boolean
  onFault(fault: unknown, context: object | undefined): void
}

interface FormattedError {
  readonly message: string
  readonly locations?: unknown
  readonly path?: unknown
  readonly extensions: Readonly<Record<string, unknown>>
}

const codes: Partial<Record<ApiErrorName, string>> = {
  ForbiddenError: 'FORBIDDEN',
  PolicyError: 'FORBIDDEN',
  ValidationError: 'BAD_USER_INPUT',
  UnauthorizedError: 'UNAUTHENTICATED',
  InternalServerError: 'INTERNAL_SERVER_ERROR',
}

/** From the table, or `STRAPI_` and its name: STRAPI_NOT_FOUND_ERROR. */
function getCode(name: string): string {
  const known = Object.hasOwn(codes, name) ? codes[name as ApiErrorName] : undefined
  return known ?? `STRAPI_${name.replace(/(?<!^)[A-Z]/g, '_$&').toUpperCase()}`
}

const INTERNAL = 'INTERNAL_SERVER_ERROR'
const MASKED: FormattedError = { message: 'Internal Server Error', extensions: { code: INTERNAL } }

/**
 * Errors of graphql-js and graphql-jit for a resolver's invalid result; they contain the value, so they are
 * hidden.
 */
const NONSENSE =
  /^(Abstract type "|Expected value of type "|Expected Iterable|Runtime Object type |Could not resolve the object type|Support for returning GraphQLObjectType )/

/** Safe to show: it contains only the names of a type and a field. */
const NO_NULL = /^Cannot return null for non-nullable field \w+\.\w+\.$/

/** Characters; some messages contain values of the request. */
const MAX_MESSAGE_LENGTH = 2000

export function formatErrors(
  errors: readonly GraphQLError[],
  format: (error: GraphQLError) => FormattedError,
): readonly FormattedError[] {
  const formatted = errors.slice(0, MAX_ERRORS).map(format)
  const rest = errors.length - formatted.length
  const last = formatted.at(-1)
  if (rest <= 0 || last === undefined) return formatted
  const message = `and ${rest} more ${rest === 1 ? 'error' : 'errors'}`
  return [...formatted, { message, extensions: { code: last.extensions['code'] } }]
}

export function formatError(
  error: GraphQLError,
  format: ErrorFormat,
  context: object | undefined,
): FormattedError {
  const fault = buildFault(error)
  if (fault instanceof ApiError) return formatApiError(fault, error.path, format)
  if (fault === undefined) return formatGraphqlError(error, INTERNAL, format)
  if (error.message === SERIALIZER_FAULT) return MASKED
  format.onFault(fault, context)
  if (!format.exposesFaults) return MASKED
  const { message, stack } = fault instanceof Error ? fault : new Error(String(fault))
  const exception = { stacktrace: stack?.split('\n') ?? [] }
  return { ...placed(error, message), extensions: { code: INTERNAL, exception } }
}

export function formatGraphqlError(
  error: GraphQLError,
  code: string,
  { suggestions }: Pick<ErrorFormat, 'suggestions'>,
): FormattedError {
  const message = suggestions ? error.message : error.message.replace(/ Did you mean [^?]+\?$/, '')
  return { ...placed(error, message), extensions: { code, ...error.extensions } }
}

function formatApiError(
  fault: ApiError,
  path: GraphQLError['path'],
  { explains, errorPaths }: ErrorFormat,
): FormattedError {
  const { name, message } = fault
  const details = fault.shownDetails(explains)
  const extensions = { error: { name, message, details }, code: getCode(name) }
  return { message, ...(errorPaths === true && path !== undefined ? { path } : {}), extensions }
}

function placed(
  { locations, path }: GraphQLError,
  message: string,
): Pick<FormattedError, 'message' | 'locations' | 'path'> {
  // When a field is selected twice, graphql-jit repeats its name.
  const named = message.replace(/^(Cannot return null for non-nullable field \w+\.)\((\w+)[\w,]*\)/, '$1$2')
  return {
    message: named.length > MAX_MESSAGE_LENGTH ? `${named.slice(0, MAX_MESSAGE_LENGTH)}…` : named,
    ...(locations === undefined || locations.length === 0 ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
  }
}

/** Undefined for an error made by graphql or meant for clients. */
function buildFault(error: GraphQLError): unknown {
  let at: unknown = error
  while (at instanceof GraphQLError && at.originalError !== undefined) at = at.originalError
  if (!(at instanceof GraphQLError)) return at instanceof Error && NO_NULL.test(at.message) ? undefined : at
  if (at.message === SERIALIZER_FAULT || NONSENSE.test(at.message)) return at
  return undefined
}

const TOO_MUCH: ReadonlySet<string> = new Set<ApiErrorName>(['RateLimitError', 'ServiceUnavailableError'])

/**
 * Returns the error that refused a too large operation as a whole: its HTTP status tells clients and proxies,
 * as in REST. `answered`: whether any root field has a value.
 */
export function buildRefusal(answered: boolean, errors: readonly GraphQLError[]): ApiError | undefined {
  if (answered) return undefined
  for (const error of errors) {
    const fault = buildFault(error)
    if (fault instanceof ApiError && TOO_MUCH.has(fault.name)) return fault
  }
  return undefined
}
