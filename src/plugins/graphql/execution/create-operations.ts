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
  type OperationDefinitionNode,
} from 'graphql'
import { BoundedCache } from '../../../util/bounded-cache.ts'
import { cacheBudgets } from '../../../util/cache-budgets.ts'
import { cachePolicyOf } from './cache-hints.ts'
import { countOnce } from './check-document.ts'
import { type CompilableDocument, compilable, createCompiledOperations } from './compiled-operations.ts'
import {
  type Encodability,
  type EncodedOperation,
  encodeOperation,
  type Written,
} from './encode-operation.ts'
import { rootFields, takesFiles } from './files-of-operation.ts'
import type { ErrorFormat } from './format-error.ts'
import { isImpersonalOperation } from './is-impersonal.ts'
import { defaultLimits, type OperationLimits } from './operation-limits.ts'
import type { Callers, OperationAnswer, OperationRequest, Operations, RunOptions } from './operations.ts'
import { chooseOperation } from './operations.ts'
import { type ParsedDocument, parseDocument } from './parse-document.ts'
import { type IsPlain, prepareSchema } from './prepare-schema.ts'
import { createVariablesReader } from './read-variables.ts'
import { createSubscriptions } from './run-subscription.ts'
import type { IsSecretName } from './secret-texts.ts'
import { Trace, traceResolvers } from './trace-resolvers.ts'
import { createAnswers } from './write-answers.ts'

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
  /** Without them there are no subscriptions. */
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
  const { callers, isSafeAbstract = () => false } = options
  const { encodability, isSecretName = () => false, unresolved = 'INTERNAL_SERVER_ERROR' } = options
  const limits: OperationLimits = { ...defaultLimits, ...options.limits }
  const answers = createAnswers({ schema, format: options, tokens: limits.tokens, isSecretName })
  const documents = new BoundedCache<KeptDocument>({ name: 'documents', budget: cacheBudgets.documents })
  const readVariables = createVariablesReader(schema, limits, !suggestions)
  const traces = new WeakMap<object, Trace>()
  prepareSchema(schema, options.isPlain ?? (() => false))
  if (tracing) traceResolvers(schema, (context) => traces.get(context as object))
  const compiled = createCompiledOperations({
    schema,
    compiles,
    isSafeAbstract,
    onFault: (fault) => onFault(fault, undefined),
  })

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
    if (!('document' in kept)) return answers.refused(request, kept.errors, kept.code)
    trace?.validated()
    const operation = chooseOperation(kept.document.known.operations, request.operationName, subscribes)
    if (typeof operation === 'string')
      return answers.refused(request, [new GraphQLError(operation)], unresolved)
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
      return answers.refused(
        request,
        [new GraphQLError('GET supports only query operation')],
        'INTERNAL_SERVER_ERROR',
        'writes',
      )
    }
    const given = request.variables ?? {}
    const variables = readVariables(operation, given)
    if (variables.errors !== undefined) return answers.refused(request, variables.errors, 'BAD_USER_INPUT')
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
        const made = answers.executed(outcome, trace, context)
        const { data, errors = [] } = outcome
        if (operation.operation !== 'query' || errors.length > 0) return made
        const cache = cachePolicyOf(context, data ?? {})
        return cache === undefined ? made : { ...made, cache }
      }
      return result instanceof Promise ? result.then(answered) : answered(result)
    }
    const written = encodedFor(kept, operation)?.run(context, coerced, readFrom)
    const answerOf = (all: Written): OperationAnswer => answers.written(all, context, readFrom)
    if (written instanceof Promise)
      return written.then((all) => (all === undefined ? engines() : answerOf(all)))
    return written === undefined ? engines() : answerOf(written)
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

  const subscriptions =
    callers &&
    createSubscriptions({
      callers,
      schema,
      limits,
      refused: (request, errors) => answers.refused(request, errors, 'BAD_USER_INPUT'),
      answer: (result, context) => answers.executed(result, undefined, context),
      failure: answers.failed,
      isImpersonal: (operation, known) =>
        isImpersonalOperation(operation, known, schema, { ...callers, isSafeAbstract }),
    })

  return {
    subscribe(request, context, open) {
      const chosen = choose(request, undefined, subscriptions !== undefined)
      if ('body' in chosen) return { answer: chosen }
      const { kept, operation } = chosen
      if (operation.operation !== 'subscription' || subscriptions === undefined)
        return { answer: this.run(request, context, { readOnly: false }) }
      const { known } = kept.document
      return { answers: subscriptions.subscribe({ request, operation, known, context, open }) }
    },

    end: () => subscriptions?.end(),

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
          return answers.refused(request, [new GraphQLError(message)], 'BAD_USER_INPUT')
        }
        for (const field of rootFields(schema, kept.document.known, operation))
          options.assertAllowed?.(field, context)
        return undefined
      } catch (fault) {
        return answers.failed(fault, context)
      }
    },

    run(request, context, options) {
      try {
        const outcome = run(request, context, options)
        return outcome instanceof Promise ? outcome.catch((fault) => answers.failed(fault, context)) : outcome
      } catch (fault) {
        return answers.failed(fault, context)
      }
    },
  }
}
