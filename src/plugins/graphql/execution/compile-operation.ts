// Compiles a validated operation with graphql-jit; undefined if graphql-js has to run it.

import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  GraphQLScalarType,
  type GraphQLSchema,
  isLeafType,
  type OperationDefinitionNode,
} from 'graphql'
import { isMiscompiled } from './is-miscompiled.ts'
import { liftArguments } from './lift-arguments.ts'
import type { Compiler } from './load-compiler.ts'
import type { DocumentFacts } from './parse-document.ts'
import { pruneSelections } from './prune-selections.ts'
import { buildSerializer } from './serialize-leaf.ts'

type Values = Readonly<Record<string, unknown>>

export interface CompiledOperation {
  /** Undefined if graphql-js has to run it for these variables. */
  run(context: unknown, variables: Values): ExecutionResult | Promise<ExecutionResult> | undefined
}

interface CompilationOptions {
  readonly schema: GraphQLSchema
  isSafeAbstract(type: GraphQLAbstractType): boolean
  onFault(fault: unknown): void
}

export type CompileOperation = (
  known: DocumentFacts,
  operation: OperationDefinitionNode,
  /** They decide `@skip` and `@include`: variables with the same decisions share the compiled operation. */
  variables: Values,
  /** Whether resolvers return serialized leaf values. */
  finished: boolean,
) => CompiledOperation | undefined

export function createCompileOperation(compiler: Compiler, parts: CompilationOptions): CompileOperation {
  const { schema, onFault } = parts
  const opaque = withOpaqueScalar(schema)
  const customSerializers = getSerializers(schema, onFault)
  const finishedSerializers = Object.fromEntries(Object.keys(customSerializers).map((name) => [name, asItIs]))
  return (known, operation, variables, finished) => {
    const selectionSet = pruneSelections(operation.selectionSet, variables)
    const fragments = Object.fromEntries(
      Object.entries(known.fragments).map(([name, fragment]) => [
        name,
        { ...fragment, selectionSet: pruneSelections(fragment.selectionSet, variables) },
      ]),
    )
    const pruned = { ...operation, selectionSet }
    if (isMiscompiled(pruned, fragments, parts)) return undefined
    const lifted = liftArguments(pruned, fragments, schema, OPAQUE)
    if (lifted === undefined) return undefined
    const document = {
      ...known.document,
      definitions: [lifted.operation, ...Object.values(lifted.fragments)],
    } satisfies DocumentNode
    const compiled = compiler.compileQuery(opaque, document, undefined, {
      customSerializers: finished ? finishedSerializers : customSerializers,
      disableLeafSerialization: finished,
      disablingCapturingStackErrors: true,
    })
    if (!('query' in compiled)) {
      onFault(compiled.errors?.[0] ?? new TypeError('graphql-jit compiled nothing'))
      return undefined
    }
    const { query } = compiled
    return {
      run(context, values) {
        let given: Values
        try {
          given = lifted.getValues(values)
        } catch (error) {
          if (error instanceof GraphQLError) return undefined
          throw error
        }
        const result: ExecutionResult | Promise<ExecutionResult> = query(undefined, context, given)
        return result instanceof Promise ? result.then(oneErrorPerNull) : oneErrorPerNull(result)
      },
    }
  }
}

function asItIs(value: unknown): unknown {
  if (value instanceof Error) throw value
  return value
}

function getSerializers(
  schema: GraphQLSchema,
  onFault: (fault: unknown) => void,
): Record<string, (value: unknown) => unknown> {
  const leaves = Object.values(schema.getTypeMap()).filter((type): type is GraphQLLeafType =>
    isLeafType(type),
  )
  return Object.fromEntries(leaves.map((type) => [type.name, buildSerializer(type, onFault)]))
}

/** Schema names may not begin with `__`. */
const OPAQUE = '__Opaque'

const scalar = new GraphQLScalarType({ name: 'Opaque', parseValue: (value) => value })

/**
 * Adds a scalar that passes on lifted arguments unchanged. Only the compiler uses this schema, so
 * introspection omits the scalar.
 */
function withOpaqueScalar(schema: GraphQLSchema): GraphQLSchema {
  const derived = Object.create(schema) as GraphQLSchema
  derived.getType = (name) => (name === OPAQUE ? scalar : schema.getType(name))
  return derived
}

const RISING = 'Cannot return null for non-nullable field '

/**
 * A null that several non-null fields cause has one error (GraphQL specification, 6.4.4); graphql-jit reports
 * one for each.
 */
function oneErrorPerNull(result: ExecutionResult): ExecutionResult {
  const { data, errors } = result
  if (errors === undefined || errors.length < 2) return result
  const kept = new Map<string, GraphQLError>()
  for (const [index, error] of errors.entries()) {
    const place = findNulled(data, error.path)
    const key = place === undefined || !error.message.startsWith(RISING) ? `#${index}` : place
    if (!kept.has(key)) kept.set(key, error)
  }
  return kept.size === errors.length ? result : { ...result, errors: [...kept.values()] }
}

export function findNulled(data: unknown, path: GraphQLError['path']): string | undefined {
  if (path === undefined) return undefined
  let at = data
  for (const [index, key] of path.entries()) {
    if (at === null || at === undefined) return JSON.stringify(path.slice(0, index))
    at = (at as Readonly<Record<string | number, unknown>>)[key]
  }
  return undefined
}
