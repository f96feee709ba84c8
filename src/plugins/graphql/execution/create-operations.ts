// Runs operations: new documents with graphql-js, repeated ones with graphql-jit. Parsed and compiled
// documents are cached with the schema.

import {
  type ExecutionResult,
  execute,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { cacheBudgets } from '../../../lib/cache-budgets.ts'
import { setReadMode } from '../selection/read-mode.ts'
import { getCachePolicy } from './cache-hints.ts'
import { countOnce } from './check-document.ts'
import { createCompiledOperations } from './compiled-operations.ts'
import { visitsEveryField } from './every-field.ts'
import { listRootFields, takesFiles } from './files-of-operation.ts'
import type { ErrorFormat } from './format-error.ts'
import { defaultLimits, type OperationLimits } from './operation-limits.ts'
import type { Callers, OperationRequest, OperationResult, Operations, RunOptions } from './operations.ts'
import { chooseOperation } from './operations.ts'
import { type DocumentFacts, type ParsedDocument, parseDocument } from './parse-document.ts'
import { type FieldKinds, prepareSchema } from './prepare-schema.ts'
import { createVariablesReader } from './read-variables.ts'
import { createSubscriptions } from './run-subscription.ts'
import type { IsSecretName } from './secret-texts.ts'
import { Trace, traceResolvers } from './trace-resolvers.ts'
import { createResultWriter } from './write-results.ts'

interface OperationsOptions extends ErrorFormat {
  /** Modified in place: some fields get resolvers. */
  readonly schema: GraphQLSchema
  readonly limits?: Partial<OperationLimits>
  readonly unresolved?: string
  readonly introspection: boolean
  readonly refusedIntrospection?: string | undefined
  readonly tracing?: boolean
  readonly kinds?: FieldKinds
  /** Whether `resolveType` of the type is synchronous and never throws. */
  isSafeAbstract?(type: GraphQLAbstractType): boolean
  /** Throws the root field's error if the caller lacks permission; undefined: all have it. */
  assertAllowed?(field: GraphQLField<unknown, unknown>, context: object): void
  /** Whether only the server makes the field's value, which is then already serialized. */
  isGenerated?(field: GraphQLField<unknown, unknown>, isRoot: boolean): boolean
  readonly callers?: Callers
  /** Inputs whose values must not appear in errors. */
  readonly isSecretName?: IsSecretName
  readonly inTransaction: <T>(task: () => Promise<T>) => Promise<T>
  /** By default repeated operations. The other values are for tests that compare both engines. */
  readonly compiles?: 'never' | 'at-once'
}

interface FoundDocument {
  readonly ok: true
  readonly known: DocumentFacts
  readonly again: boolean
}

interface ChosenOperation extends Pick<FoundDocument, 'known' | 'again'> {
  readonly operation: OperationDefinitionNode
}

/** Carries the errors of a mutation out of its transaction. */
class UndoneMutation extends Error {
  readonly result: ExecutionResult

  constructor(result: ExecutionResult) {
    super('a mutation was undone')
    this.result = result
  }
}

const NO_KINDS: FieldKinds = {
  isPlain: () => false,
  isProperty: () => false,
  getCompletion: () => undefined,
}

/** Bytes of memory for each character of a parsed document. */
const BYTES_PER_CHARACTER = 100

export function createOperations(options: OperationsOptions): Operations {
  const {
    schema,
    suggestions,
    introspection,
    refusedIntrospection,
    onFault,
    compiles,
    tracing = false,
  } = options
  const { callers, isSafeAbstract = () => false, inTransaction } = options
  const { isGenerated = () => false, isSecretName = () => false } = options
  const { unresolved = 'INTERNAL_SERVER_ERROR', kinds = NO_KINDS } = options
  const limits: OperationLimits = { ...defaultLimits, ...options.limits }
  const results = createResultWriter({ schema, format: options, tokens: limits.tokens, isSecretName })
  const documents = new BoundedCache<DocumentFacts>({ name: 'documents', budget: cacheBudgets.documents })
  const readVariables = createVariablesReader(schema, limits, !suggestions)
  const traces = new WeakMap<object, Trace>()
  const finished = new WeakMap<OperationDefinitionNode, boolean>()
  prepareSchema(schema, kinds)
  if (tracing) traceResolvers(schema, (context) => traces.get(context as object))
  const compiled = createCompiledOperations({
    schema,
    isSafeAbstract,
    onFault: (fault) => onFault(fault, undefined),
  })

  function find(
    query: string,
    trace?: Trace,
  ): FoundDocument | Extract<ParsedDocument, { readonly ok: false }> {
    const known = documents.get(query)
    if (known !== undefined) return { ok: true, known, again: true }
    const parsed = parseDocument(
      query,
      { schema, limits, introspection, refusedIntrospection, suggestions },
      trace,
    )
    if (!parsed.ok) return parsed
    const again = documents.offer(query, parsed.known, query.length * BYTES_PER_CHARACTER)
    return { ...parsed, again }
  }

  /** Whether all fields are generated: values are then already serialized, and the result can be cached. */
  function isFinished(operation: OperationDefinitionNode, known: DocumentFacts): boolean {
    let found = finished.get(operation)
    if (found === undefined) {
      found =
        operation.operation === 'query' &&
        visitsEveryField(operation, known, schema, { holds: isGenerated, isSafeAbstract })
      finished.set(operation, found)
    }
    return found
  }

  function choose(
    request: OperationRequest,
    trace: Trace | undefined,
    subscribes = false,
  ): ChosenOperation | OperationResult {
    const found = find(request.query, trace)
    if (!found.ok) return results.refused(request, found.errors, found.code)
    trace?.validated()
    const { known, again } = found
    const operation = chooseOperation(known.operations, request.operationName, subscribes)
    if (typeof operation === 'string')
      return results.refused(request, [new GraphQLError(operation)], unresolved)
    return { known, again, operation }
  }

  function run(
    request: OperationRequest,
    context: object,
    { readOnly, dependencies }: RunOptions,
  ): OperationResult | Promise<OperationResult> {
    const trace = tracing ? new Trace() : undefined
    const chosen = choose(request, trace)
    if ('body' in chosen) return chosen
    const { known, again, operation } = chosen
    if (readOnly && operation.operation !== 'query') {
      return results.refused(
        request,
        [new GraphQLError('GET supports only query operation')],
        'INTERNAL_SERVER_ERROR',
        'writes',
      )
    }
    const given = request.variables ?? {}
    const variables = readVariables(operation, given)
    if (variables.errors !== undefined) return results.refused(request, variables.errors, 'BAD_USER_INPUT')
    if (trace !== undefined) traces.set(context, trace)

    const { coerced } = variables
    const whole = again && !tracing && isFinished(operation, known)
    const isCompiled = compiles === 'at-once' || (again && compiles === undefined)
    const found = isCompiled ? compiled.find(known, operation, coerced, whole) : undefined
    const runFields = (): ExecutionResult | Promise<ExecutionResult> => {
      if (whole) setReadMode(context, { finished: found !== undefined, dependencies })
      const ran = found?.run(context, coerced)
      // graphql-js runs what the compiled operation cannot.
      if (ran === undefined && whole) setReadMode(context, { finished: false, dependencies })
      return (
        ran ??
        execute({
          schema,
          document: known.document,
          contextValue: context,
          variableValues: given,
          operationName: operation.name?.value ?? null,
        })
      )
    }
    const result = known.transactions.has(operation) ? allOrNothing(runFields) : runFields()
    const answered = (outcome: ExecutionResult): OperationResult => {
      const made = results.executed(outcome, trace, context)
      const { data, errors = [] } = outcome
      if (operation.operation !== 'query' || errors.length > 0) return made
      const cache = getCachePolicy(context, data ?? {})
      return {
        ...made,
        ...(cache !== undefined && { cache }),
        ...(whole && dependencies !== undefined && { dependencies }),
      }
    }
    return result instanceof Promise ? result.then(answered) : answered(result)
  }

  /** An error in any field undoes all of them. */
  async function allOrNothing(
    runFields: () => ExecutionResult | Promise<ExecutionResult>,
  ): Promise<ExecutionResult> {
    try {
      return await inTransaction(async () => {
        const result = await runFields()
        if (result.errors !== undefined && result.errors.length > 0) throw new UndoneMutation(result)
        return result
      })
    } catch (error) {
      if (error instanceof UndoneMutation) return { ...error.result, data: null }
      throw error
    }
  }

  const subscriptions =
    callers &&
    createSubscriptions({
      callers,
      schema,
      limits,
      refused: (request, errors) => results.refused(request, errors, 'BAD_USER_INPUT'),
      result: (result, context) => results.executed(result, undefined, context),
      failure: results.failed,
      isImpersonal: (operation, known) =>
        visitsEveryField(operation, known, schema, { holds: callers.isImpersonal, isSafeAbstract }),
    })

  return {
    subscribe(request, context, open) {
      const chosen = choose(request, undefined, subscriptions !== undefined)
      if ('body' in chosen) return { result: chosen }
      const { known, operation } = chosen
      if (operation.operation !== 'subscription' || subscriptions === undefined)
        return { result: this.run(request, context, { readOnly: false }) }
      return { results: subscriptions.subscribe({ request, operation, known, context, open }) }
    },

    end: () => subscriptions?.end(),

    countOnce({ query, operationName }) {
      // Other documents are not parsed here: a refused one would be parsed twice.
      if (![...limits.once].some((name) => query.includes(name))) return 0
      const found = find(query)
      if (!found.ok) return 0
      const { document, operations } = found.known
      const operation = chooseOperation(operations, operationName)
      return typeof operation === 'string' ? 0 : countOnce(document, operation, limits)
    },

    counts: () => ({ documents: documents.size, compiled: compiled.count }),

    refusal(request, context, variables) {
      try {
        const chosen = choose(request, undefined)
        if ('body' in chosen) return chosen
        const { known, operation } = chosen
        const other = variables.find((name) => !takesFiles(schema, operation, name))
        if (other !== undefined) {
          const message = `Variable "$${other.slice(0, 50)}" takes no file.`
          return results.refused(request, [new GraphQLError(message)], 'BAD_USER_INPUT')
        }
        for (const field of listRootFields(schema, known, operation)) options.assertAllowed?.(field, context)
        return undefined
      } catch (fault) {
        return results.failed(fault, context)
      }
    },

    run(request, context, options) {
      try {
        const outcome = run(request, context, options)
        return outcome instanceof Promise ? outcome.catch((fault) => results.failed(fault, context)) : outcome
      } catch (fault) {
        return results.failed(fault, context)
      }
    },
  }
}
