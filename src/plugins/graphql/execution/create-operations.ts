// Runs operations against a schema. After the gate, an encoder answers if the whole answer can be written from rows;
// otherwise graphql-js runs new documents and graphql-jit repeated ones. Parsed and compiled documents are kept, within
// bounds, as long as the schema.

import {
  type ExecutionResult,
  execute,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql'
import type { ReadFrom } from '../../../http/kept-answers.ts'
import { BoundedCache } from '../../../util/bounded-cache.ts'
import { cacheBudgets } from '../../../util/cache-budgets.ts'
import { cachePolicyOf } from './cache-hints.ts'
import { countOnce } from './check-document.ts'
import { variablesFault } from './check-variables.ts'
import { type CompilableDocument, compilable, createCompiledOperations } from './compiled-operations.ts'
import {
  type Encodability,
  type EncodedOperation,
  encodeOperation,
  type Written,
} from './encode-operation.ts'
import { rootFields, takesFiles } from './files-of-operation.ts'
import { type ErrorFormat, formatError, formatErrors, formatGraphqlError, refusalOf } from './format-error.ts'
import { misreadArgument } from './misread-argument.ts'
import { defaultLimits, type OperationLimits } from './operation-limits.ts'
import type { Callers, OperationAnswer, OperationRequest, Operations, RunOptions } from './operations.ts'
import { chooseOperation } from './operations.ts'
import { type ParsedDocument, parseDocument } from './parse-document.ts'
import { type IsPlain, prepareSchema } from './prepare-schema.ts'
import { createSubscriptions } from './run-subscription.ts'
import { type IsSecretName, withoutSecrets } from './secret-texts.ts'
import { Trace, traceResolvers } from './trace-resolvers.ts'

export interface OperationsOptions extends ErrorFormat {
  /** Changed in place: some fields get resolvers. */
  readonly schema: GraphQLSchema
  readonly limits?: Partial<OperationLimits>
  /** The code of an error about the name of the operation. */
  readonly unresolved?: string
  /** Whether clients may query the schema. */
  readonly introspection: boolean
  /** What a refused introspection is called, if anything. */
  readonly refusedIntrospection?: string | undefined
  /** Whether answers carry timings in `extensions.tracing`. */
  readonly tracing?: boolean
  /** Whether a field without a resolver reads a property that is neither function nor promise: the fastest kind. */
  readonly isPlain?: IsPlain
  /** Whether `resolveType` of the type is synchronous and never throws. */
  isSafeAbstract?(type: GraphQLAbstractType): boolean
  /** Throws what the root field's resolver would throw if the caller lacks permission; undefined: all have it. */
  assertAllowed?(field: GraphQLField<unknown, unknown>, context: object): void
  /** Which fields can be written from rows; undefined if none can. */
  readonly encodability?: Encodability
  readonly callers?: Callers
  /** Names of inputs whose values must not appear in errors. */
  readonly isSecretName?: IsSecretName
  /** `rarely` (the default): repeated operations. The other values are for tests that compare both engines. */
  readonly compiles?: 'never' | 'rarely' | 'at-once'
}

interface KeptDocument {
  readonly document: CompilableDocument
  /** Null: the engines run this operation. */
  readonly encoded: Map<OperationDefinitionNode, EncodedOperation | null>
}

/** Bytes of memory for each character of a parsed document. */
const BYTES_A_CHARACTER = 100

export function createOperations(options: OperationsOptions): Operations {
  const {
    schema,
    suggestions,
    introspection,
    refusedIntrospection,
    onFault,
    compiles = 'rarely',
    tracing = false,
  } = options
  const { encodability, isSecretName = () => false, unresolved = 'INTERNAL_SERVER_ERROR' } = options
  const limits: OperationLimits = { ...defaultLimits, ...options.limits }
  const documents = new BoundedCache<KeptDocument>({ name: 'documents', budget: cacheBudgets.documents })
  const traces = new WeakMap<object, Trace>()
  prepareSchema(schema, options.isPlain ?? (() => false))
  if (tracing) traceResolvers(schema, (context) => traces.get(context as object))
  const compiled = createCompiledOperations({
    schema,
    compiles,
    isSafeAbstract: options.isSafeAbstract ?? (() => false),
    onFault: (fault) => onFault(fault, undefined),
  })

  function refused(
    request: OperationRequest,
    errors: readonly GraphQLError[],
    code: string,
    kind: 'refused' | 'writes' = 'refused',
  ): OperationAnswer {
    const told = withoutSecrets(errors, request, limits.tokens, isSecretName)
    const formatted = formatErrors(told, (error) => {
      const plain = formatGraphqlError(error, code, options)
      const explain = options.explains ? misreadArgument(error.message, schema) : undefined
      return explain === undefined ? plain : { ...plain, extensions: { ...plain.extensions, explain } }
    })
    return { kind, body: JSON.stringify({ errors: formatted }) }
  }

  function find(
    query: string,
    trace?: Trace,
  ): KeptDocument | Extract<ParsedDocument, { readonly ok: false }> {
    const known = documents.get(query)
    if (known !== undefined) return known
    const parsed = parseDocument(
      query,
      { schema, limits, introspection, refusedIntrospection, suggestions },
      trace,
    )
    if (!parsed.ok) return parsed
    const made: KeptDocument = { document: compilable(parsed.known), encoded: new Map() }
    documents.offer(query, made, query.length * BYTES_A_CHARACTER)
    return made
  }

  /** Returns the parsed, checked document and the requested operation, or the reason why there is none. */
  function choose(
    request: OperationRequest,
    trace: Trace | undefined,
    subscribes = false,
  ): { readonly kept: KeptDocument; readonly operation: OperationDefinitionNode } | OperationAnswer {
    const kept = find(request.query, trace)
    if (!('document' in kept)) return refused(request, kept.errors, kept.code)
    trace?.validated()
    const operation = chooseOperation(kept.document.known.operations, request.operationName, subscribes)
    if (typeof operation === 'string') return refused(request, [new GraphQLError(operation)], unresolved)
    return { kept, operation }
  }

  function run(
    request: OperationRequest,
    context: object,
    { readOnly, readFrom }: RunOptions,
  ): OperationAnswer | Promise<OperationAnswer> {
    const trace = tracing ? new Trace() : undefined
    const chosen = choose(request, trace)
    if ('body' in chosen) return chosen
    const { kept, operation } = chosen
    if (readOnly && operation.operation !== 'query') {
      return refused(
        request,
        [new GraphQLError('GET supports only query operation')],
        'INTERNAL_SERVER_ERROR',
        'writes',
      )
    }
    const given = request.variables ?? {}
    const tooMuch = variablesFault(schema, operation, given, limits.elements)
    if (tooMuch !== undefined) return refused(request, [tooMuch], 'BAD_USER_INPUT')
    const variables = getVariableValues(schema, operation.variableDefinitions ?? [], given, {
      maxErrors: limits.errors - 1,
      hideSuggestions: !suggestions,
    })
    if (variables.errors !== undefined) return refused(request, variables.errors, 'BAD_USER_INPUT')
    if (trace !== undefined) traces.set(context, trace)

    const { coerced } = variables
    const { known } = kept.document
    const engines = (): OperationAnswer | Promise<OperationAnswer> => {
      const result =
        compiled.find(kept.document, operation, coerced)?.run(context, coerced) ??
        execute({
          schema,
          document: known.document,
          contextValue: context,
          variableValues: given,
          operationName: operation.name?.value ?? null,
        })
      const answered = (outcome: ExecutionResult): OperationAnswer => {
        const made = answer(outcome, trace, context)
        const { data, errors = [] } = outcome
        if (operation.operation !== 'query' || errors.length > 0) return made
        const cache = cachePolicyOf(context, data ?? {})
        return cache === undefined ? made : { ...made, cache }
      }
      return result instanceof Promise ? result.then(answered) : answered(result)
    }
    const written = encodedFor(kept, operation)?.run(context, coerced, readFrom)
    const answerOf = (all: Written): OperationAnswer => writtenAnswer(all, context, readFrom)
    if (written instanceof Promise)
      return written.then((all) => (all === undefined ? engines() : answerOf(all)))
    return written === undefined ? engines() : answerOf(written)
  }

  function writtenAnswer(
    { data, answered, errors }: Written,
    context: object,
    readFrom: ReadFrom | undefined,
  ): OperationAnswer {
    if (errors.length === 0)
      return { kind: 'executed', body: `{"data":${data}}`, ...(readFrom && { readFrom }) }
    const formatted = JSON.stringify(formatErrors(errors, (error) => formatError(error, options, context)))
    const refusal = refusalOf(answered, errors)
    return {
      kind: 'executed',
      ...(refusal === undefined ? {} : { refusal }),
      body: `{"errors":${formatted},"data":${data}}`,
    }
  }

  /** Returns undefined if the engines answer. With tracing they always do: it measures resolvers. */
  function encodedFor(
    { document: { known }, encoded }: KeptDocument,
    operation: OperationDefinitionNode,
  ): EncodedOperation | undefined {
    if (encodability === undefined || tracing) return undefined
    let made = encoded.get(operation)
    if (made === undefined) {
      made = encodeOperation(schema, known, operation, encodability) ?? null
      encoded.set(operation, made)
    }
    return made ?? undefined
  }

  function answer(
    { data, errors }: ExecutionResult,
    trace: Trace | undefined,
    context: object,
  ): OperationAnswer {
    const failed = errors !== undefined && errors.length > 0
    if (!failed && trace === undefined) {
      // JSON.stringify: graphql-jit's own serializer, and one generated for the types, were no faster (decision 0031).
      return { kind: 'executed', body: JSON.stringify({ data: data ?? null }) }
    }
    const formatted = formatErrors(errors ?? [], (error) => formatError(error, options, context))
    const answered = Object.values(data ?? {}).some((value) => value !== null)
    const refusal = refusalOf(answered, errors ?? [])
    return {
      kind: 'executed',
      ...(refusal === undefined ? {} : { refusal }),
      body: JSON.stringify({
        ...(failed ? { errors: formatted } : {}),
        data: data ?? null,
        ...(trace === undefined ? {} : { extensions: { tracing: trace.extension() } }),
      }),
    }
  }

  function failure(fault: unknown, context: object): OperationAnswer {
    const error = new GraphQLError('', {
      originalError: fault instanceof Error ? fault : new Error(String(fault)),
    })
    return {
      kind: 'executed',
      body: JSON.stringify({ errors: [formatError(error, options, context)], data: null }),
    }
  }

  const subscriptions = createSubscriptions({
    callers: options.callers,
    schema,
    limits,
    refused: (request, errors) => refused(request, errors, 'BAD_USER_INPUT'),
    answer: (result, context) => answer(result, undefined, context),
    failure,
  })

  return {
    async *subscribe(request, context) {
      const chosen = choose(request, undefined, true)
      if ('body' in chosen) yield chosen
      else if (chosen.operation.operation === 'subscription')
        yield* subscriptions.subscribe(
          request,
          chosen.operation,
          chosen.kept.document.known.document,
          context,
        )
      else yield await this.run(request, context, { readOnly: false })
    },

    end: subscriptions.end,

    countOnce({ query, operationName }) {
      // Other documents are not parsed here: one that is refused would be parsed twice.
      if (![...limits.once].some((name) => query.includes(name))) return 0
      const found = find(query)
      if (!('document' in found)) return 0
      const { document, operations } = found.document.known
      const operation = chooseOperation(operations, operationName)
      return typeof operation === 'string' ? 0 : countOnce(document, operation, limits)
    },

    counts: () => ({ documents: documents.size, compiled: compiled.count }),

    refusal(request, context, variables) {
      try {
        const chosen = choose(request, undefined)
        if ('body' in chosen) return chosen
        const { kept, operation } = chosen
        const other = variables.find((name) => !takesFiles(schema, operation, name))
        if (other !== undefined) {
          const message = `Variable "$${other.slice(0, 50)}" takes no file.`
          return refused(request, [new GraphQLError(message)], 'BAD_USER_INPUT')
        }
        for (const field of rootFields(schema, kept.document.known, operation))
          options.assertAllowed?.(field, context)
        return undefined
      } catch (fault) {
        return failure(fault, context)
      }
    },

    run(request, context, options) {
      try {
        const outcome = run(request, context, options)
        return outcome instanceof Promise ? outcome.catch((fault) => failure(fault, context)) : outcome
      } catch (fault) {
        return failure(fault, context)
      }
    },
  }
}
