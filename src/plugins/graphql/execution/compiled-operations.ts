// Compiles operations that are requested repeatedly and keeps them within bounds. Each is compiled with its `@skip` and
// `@include` decided, a large one after more requests, and at a limited rate.

import type { GraphQLAbstractType, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { BoundedCache } from '../../../util/bounded-cache.ts'
import { cacheBudgets } from '../../../util/cache-budgets.ts'
import { createCompileBudget } from './compile-budget.ts'
import { type CompiledOperation, type CompileOperation, createCompileOperation } from './compile-operation.ts'
import { loadCompiler } from './load-compiler.ts'
import type { KnownDocument } from './parse-document.ts'
import { decidingVariables } from './prune-selections.ts'

/** A document and how its operations were used. */
export interface CompilableDocument {
  readonly known: KnownDocument
  /** The variables that decide `@skip` and `@include`. */
  readonly deciding: readonly string[]
  readonly used: Map<OperationDefinitionNode, Map<string, Variant>>
}

/** An operation with its `@skip` and `@include` decided. */
interface Variant {
  /** The key in the cache of compiled operations. */
  readonly key: string
  sights: number
  /** Number of requests after which it is compiled; Infinity: graphql-js always answers. */
  patience: number
}

export interface CompiledOperations {
  /** Returns undefined if graphql-js answers this time. */
  find(
    document: CompilableDocument,
    operation: OperationDefinitionNode,
    variables: Values,
  ): CompiledOperation | undefined
  /** Number of operations compiled so far. */
  readonly count: number
}

export interface CompiledOperationsParts {
  readonly schema: GraphQLSchema
  /** `rarely`: repeated operations. The other values are for tests that compare both engines. */
  readonly compiles: 'never' | 'rarely' | 'at-once'
  isSafeAbstract(type: GraphQLAbstractType): boolean
  onFault(fault: unknown): void
}

type Values = Readonly<Record<string, unknown>>

/** Bytes of compiled code for each field. */
const BYTES_A_FIELD = 8000
/** An operation evicted from the cache has to be requested this many times as often before it is compiled again. */
const AGAIN = 8
/** The most variants of one operation that are compiled; graphql-js answers the others. */
const MOST_VARIANTS = 8
/** Compiling takes as long as running it a few times: a large document must be requested more often to be worth it. */
const FIELDS_A_SIGHT = 20

export function compilable(known: KnownDocument): CompilableDocument {
  return { known, deciding: decidingVariables(known.document), used: new Map() }
}

export function createCompiledOperations(parts: CompiledOperationsParts): CompiledOperations {
  const { schema, compiles, isSafeAbstract, onFault } = parts
  const ready = new BoundedCache<CompiledOperation>({ name: 'compiled', budget: cacheBudgets.compiled })
  const budget = createCompileBudget()
  let compile: CompileOperation | undefined
  let loading: Promise<void> | undefined
  let compiledCount = 0
  let variantCount = 0

  function find(
    { known, deciding, used }: CompilableDocument,
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
    ready.set(variant.key, compiled, known.fields * BYTES_A_FIELD)
    return compiled
  }

  function load(): Promise<void> {
    loading ??= loadCompiler().then((compiler) => {
      compile = createCompileOperation(compiler, { schema, isSafeAbstract, onFault })
    }, onFault)
    return loading
  }

  return {
    find,
    get count() {
      return compiledCount
    },
  }
}

/** `?` if the variable is not a boolean: graphql-js then decides what happens. */
function decisionOf(names: readonly string[], variables: Values): string {
  return names
    .map((name) => {
      const value = variables[name]
      return typeof value === 'boolean' ? (value ? 't' : 'f') : '?'
    })
    .join('')
}
