// A schema -> what runs operations against it: the gate, then graphql-js for a document that is new and graphql-jit for
// one that comes again. What was parsed and compiled is kept for as long as the schema, within bounds.

import {
  type ExecutionResult,
  execute,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql'
import { chooseOperation } from './choose-operation.ts'
import { createCompileBudget } from './compile-budget.ts'
import { type CompiledOperation, type CompileOperation, createCompileOperation } from './compile-operation.ts'
import { createDocumentCache } from './document-cache.ts'
import { type ErrorFormat, formatError, formatGraphqlError } from './format-error.ts'
import { loadCompiler } from './load-compiler.ts'
import { defaultLimits, type OperationLimits } from './operation-limits.ts'
import type { OperationAnswer, OperationRequest, Operations } from './operations.ts'
import { type KnownDocument, parseDocument } from './parse-document.ts'
import { type IsPlain, prepareSchema } from './prepare-schema.ts'
import { decidingVariables } from './prune-selections.ts'
import { refusalOf } from './refusal-of.ts'
import { Trace, traceResolvers } from './trace-resolvers.ts'

export interface OperationsOptions extends ErrorFormat {
  /** Gets resolvers where it needs them, in place. */
  readonly schema: GraphQLSchema
  readonly limits?: Partial<OperationLimits>
  /** Whether clients may ask for the schema. */
  readonly introspection: boolean
  /** Whether answers carry timings in `extensions.tracing`. */
  readonly tracing?: boolean
  /** Whether a field without a resolver reads a property that is neither function nor promise: those are fastest. */
  readonly isPlain?: IsPlain
  /** Whether `resolveType` of the type answers at once and never throws. */
  isSafeAbstract?(type: GraphQLAbstractType): boolean
  /** `rarely` (the default): what comes again. The others are for tests that compare both engines. */
  readonly compiles?: 'never' | 'rarely' | 'at-once'
}

/** A kept document: its operations, by name, as they were used. */
interface Kept {
  readonly known: KnownDocument
  readonly deciding: readonly string[]
  readonly used: Map<OperationDefinitionNode, Map<string, Variant>>
}

/** An operation with its `@skip` and `@include` decided. */
interface Variant {
  /** In the cache of what is compiled. */
  readonly key: string
  sights: number
  /** Sights after which it is compiled; Infinity: graphql-js keeps it. */
  patience: number
}

/** A parsed document takes about a hundred times as many bytes as it has characters. */
const BOUNDS = { documents: 1000, weight: 300_000 }
/** Compiled code takes about 8 KB for each field. */
const COMPILED = { documents: 1000, weight: 3000 }
/** What had to make room has to come this much more often before it is compiled again. */
const AGAIN = 8
/** Of one operation; others of it stay with graphql-js. */
const MOST_VARIANTS = 8
/** Compiling takes as long as running it a few times: a large document has to come more often before it is worth it. */
const FIELDS_A_SIGHT = 20

type Values = Readonly<Record<string, unknown>>

export function createOperations(options: OperationsOptions): Operations {
  const { schema, suggestions, introspection, onFault, compiles = 'rarely', tracing = false } = options
  const limits: OperationLimits = { ...defaultLimits, ...options.limits }
  const isSafeAbstract = options.isSafeAbstract ?? (() => false)
  const documents = createDocumentCache<Kept>(BOUNDS)
  const ready = createDocumentCache<CompiledOperation>(COMPILED)
  const budget = createCompileBudget()
  const traces = new WeakMap<object, Trace>()
  prepareSchema(schema, options.isPlain ?? (() => false))
  if (tracing) traceResolvers(schema, (context) => traces.get(context as object))
  const report = (fault: unknown): void => onFault(fault, undefined)
  let compile: CompileOperation | undefined
  let loading: Promise<void> | undefined
  let compiledCount = 0
  let variantCount = 0

  function refused(
    errors: readonly GraphQLError[],
    code: string,
    kind: 'refused' | 'writes' = 'refused',
  ): OperationAnswer {
    const formatted = errors.map((error) => formatGraphqlError(error, code, options))
    return { kind, body: JSON.stringify({ errors: formatted }) }
  }

  function run(
    request: OperationRequest,
    context: object,
    readOnly: boolean,
  ): OperationAnswer | Promise<OperationAnswer> {
    const trace = tracing ? new Trace() : undefined
    let kept = documents.get(request.query)
    if (kept === undefined) {
      const parsed = parseDocument(request.query, { schema, limits, introspection, suggestions }, trace)
      if (!parsed.ok) return refused(parsed.errors, parsed.code)
      const { known } = parsed
      kept = { known, deciding: decidingVariables(known.document), used: new Map() }
      documents.set(request.query, kept, request.query.length)
    }
    trace?.validated()
    const operation = chooseOperation(kept.known.operations, request.operationName)
    if (typeof operation === 'string') return refused([new GraphQLError(operation)], 'INTERNAL_SERVER_ERROR')
    if (readOnly && operation.operation !== 'query') {
      return refused(
        [new GraphQLError('GET supports only query operation')],
        'INTERNAL_SERVER_ERROR',
        'writes',
      )
    }
    const given = request.variables ?? {}
    const variables = getVariableValues(schema, operation.variableDefinitions ?? [], given, {
      maxErrors: limits.errors - 1,
      hideSuggestions: !suggestions,
    })
    if (variables.errors !== undefined) return refused(variables.errors, 'BAD_USER_INPUT')
    if (trace !== undefined) traces.set(context, trace)

    const compiled = compiledFor(kept, operation, variables.coerced)
    const compiledResult = compiled?.run(context, variables.coerced)
    const result =
      compiledResult ??
      execute({
        schema,
        document: kept.known.document,
        contextValue: context,
        variableValues: given,
        operationName: operation.name?.value ?? null,
      })
    return result instanceof Promise
      ? result.then((outcome) => answer(outcome, trace, context))
      : answer(result, trace, context)
  }

  /** Undefined: graphql-js answers this time. */
  function compiledFor(
    { known, deciding, used }: Kept,
    operation: OperationDefinitionNode,
    variables: Values,
  ): CompiledOperation | undefined {
    if (compiles === 'never') return undefined
    const variants = used.get(operation) ?? new Map<string, Variant>()
    used.set(operation, variants)
    const key = deciding.length === 0 ? '' : decisionOf(deciding, variables)
    let variant = variants.get(key)
    if (variant === undefined) {
      if (variants.size >= MOST_VARIANTS) return undefined
      const patience = compiles === 'at-once' ? 0 : Math.max(1, known.fields / FIELDS_A_SIGHT)
      variant = { key: String(variantCount++), sights: 0, patience }
      variants.set(key, variant)
    }
    const before = ready.get(variant.key)
    if (before !== undefined) return before
    variant.sights += 1
    if (variant.sights <= variant.patience) return undefined
    if (compile === undefined) {
      void load()
      return undefined
    }
    if (compiles === 'rarely' && !budget.take()) return undefined
    const compiled = key.includes('?') ? undefined : compile(known, operation, variables)
    variant.sights = 0
    variant.patience = compiled === undefined ? Number.POSITIVE_INFINITY : (variant.patience + 1) * AGAIN
    if (compiled === undefined) return undefined
    compiledCount += 1
    ready.set(variant.key, compiled, known.fields)
    return compiled
  }

  function load(): Promise<void> {
    loading ??= loadCompiler().then((compiler) => {
      compile = createCompileOperation(compiler, { schema, isSafeAbstract, onFault: report })
    }, report)
    return loading
  }

  function answer(
    { data, errors }: ExecutionResult,
    trace: Trace | undefined,
    context: object,
  ): OperationAnswer {
    const failed = errors !== undefined && errors.length > 0
    if (!failed && trace === undefined) {
      // graphql-jit's own serialiser, and one written out for the types, were no faster (decision 0031).
      return { kind: 'executed', body: JSON.stringify({ data: data ?? null }) }
    }
    const formatted = errors?.map((error) => formatError(error, options, context))
    const refusal = refusalOf(data, errors ?? [])
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

  return {
    counts: () => ({ documents: documents.size, compiled: compiledCount }),

    run(request, context, { readOnly }) {
      try {
        const outcome = run(request, context, readOnly)
        return outcome instanceof Promise ? outcome.catch((fault) => failure(fault, context)) : outcome
      } catch (fault) {
        return failure(fault, context)
      }
    },
  }
}

/** `?` where the variable is no boolean: what happens then is for graphql-js to say. */
function decisionOf(names: readonly string[], variables: Values): string {
  return names
    .map((name) => {
      const value = variables[name]
      return typeof value === 'boolean' ? (value ? 't' : 'f') : '?'
    })
    .join('')
}
