// Writes results as text, without confidential errors.

import type { GraphQLSchema } from 'graphql'
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { Explanation } from '../../../lib/errors/api-error.ts'
import { listCutLists } from '../selection/cut-lists.ts'
import {
  buildRefusal,
  type ErrorFormat,
  formatError,
  formatErrors,
  formatGraphqlError,
} from './format-error.ts'
import type { OperationRequest, OperationResult } from './operations.ts'
import { type IsSecretName, withoutSecrets } from './secret-texts.ts'
import type { Trace } from './trace-resolvers.ts'

interface ResultWriterOptions {
  readonly schema: GraphQLSchema
  readonly format: ErrorFormat
  readonly tokens: number
  readonly isSecretName: IsSecretName
}

interface ResultWriter {
  refused(
    request: OperationRequest,
    errors: readonly GraphQLError[],
    code: string,
    kind?: 'refused' | 'writes',
  ): OperationResult
  executed(result: ExecutionResult, trace: Trace | undefined, context: object): OperationResult
  failed(fault: unknown, context: object): OperationResult
}

function getExtensions(context: object, trace?: Trace): Readonly<Record<string, unknown>> | undefined {
  const cutLists = listCutLists(context)
  if (cutLists === undefined && trace === undefined) return undefined
  return { ...(trace && { tracing: trace.extension() }), ...(cutLists && { cutLists }) }
}

export function createResultWriter({
  schema,
  format,
  tokens,
  isSecretName,
}: ResultWriterOptions): ResultWriter {
  return {
    refused(request, errors, code, kind = 'refused') {
      const told = withoutSecrets(errors, request, tokens, isSecretName)
      const formatted = formatErrors(told, (error) => {
        const plain = formatGraphqlError(error, code, format)
        const explain = format.explains ? misreadArgument(error.message, schema) : undefined
        return explain === undefined ? plain : { ...plain, extensions: { ...plain.extensions, explain } }
      })
      return { kind, body: JSON.stringify({ errors: formatted }) }
    },

    executed({ data, errors }, trace, context) {
      const failed = errors !== undefined && errors.length > 0
      const extensions = getExtensions(context, trace)
      if (!failed && extensions === undefined) {
        // fast-json-stringify, graphql-jit's own serializer, does not know the schema's scalars and is no
        // faster.
        return { kind: 'executed', body: JSON.stringify({ data: data ?? null }) }
      }
      const formatted = formatErrors(errors ?? [], (error) => formatError(error, format, context))
      const answered = Object.values(data ?? {}).some((value) => value !== null)
      const refusal = buildRefusal(answered, errors ?? [])
      return {
        kind: 'executed',
        ...(refusal === undefined ? {} : { refusal }),
        body: JSON.stringify({
          ...(failed ? { errors: formatted } : {}),
          data: data ?? null,
          ...(extensions === undefined ? {} : { extensions }),
        }),
      }
    },

    failed(fault, context) {
      const originalError = fault instanceof Error ? fault : new Error(String(fault))
      const error = new GraphQLError('', { originalError })
      return {
        kind: 'executed',
        body: JSON.stringify({ errors: [formatError(error, format, context)], data: null }),
      }
    },
  }
}

const UNKNOWN_ARGUMENT = /^Unknown argument "(\w+)" on field "Query\.(\w+)"\./

const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['limit', 'pagination: { limit: … }'],
  ['first', 'pagination: { limit: … }'],
  ['take', 'pagination: { limit: … }'],
  ['start', 'pagination: { start: … }'],
  ['offset', 'pagination: { start: … }'],
  ['skip', 'pagination: { start: … }'],
  ['page', 'pagination: { page: … }'],
  ['pagesize', 'pagination: { pageSize: … }'],
  ['orderby', 'sort: …'],
  ['order', 'sort: …'],
  ['where', 'filters: { … }'],
])

function misreadArgument(message: string, schema: GraphQLSchema): Explanation | undefined {
  const [, argument = '', field = ''] = UNKNOWN_ARGUMENT.exec(message) ?? []
  const meant = ELSEWHERE.get(argument.toLowerCase()) ?? `filters: { ${argument}: { eq: … } }`
  const known = schema.getQueryType()?.getFields()[field]?.args ?? []
  if (!known.some(({ name }) => meant.startsWith(`${name}:`))) return undefined
  return { message: `did you mean ${field}(${meant})?` }
}
