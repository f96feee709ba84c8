// Operations that come again -> compiled ones, kept within bounds: each with its `@skip` and `@include` decided, a large
// one later, and in bursts, not all the time.

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
  /** The variables that decide about selections. */
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

export interface CompiledOperations {
  /** Undefined: graphql-js answers this time. */
  find(
    document: CompilableDocument,
    operation: OperationDefinitionNode,
    variables: Values,
  ): CompiledOperation | undefined
  /** How many were compiled so far. */
  readonly count: number
}

export interface CompiledOperationsParts {
  readonly schema: GraphQLSchema
  /** `rarely`: what comes again. The others are for tests that compare both engines. */
  readonly compiles: 'never' | 'rarely' | 'at-once'
  isSafeAbstract(type: GraphQLAbstractType): boolean
  onFault(fault: unknown): void
}

type Values = Readonly<Record<string, unknown>>

/** Bytes of compiled code for each field. */
const BYTES_A_FIELD = 8000
/** What had to make room has to come this much more often before it is compiled again. */
const AGAIN = 8
/** Of one operation; others of it stay with graphql-js. */
const MOST_VARIANTS = 8
/** Compiling takes as long as running it a few times: a large document has to come more often before it is worth it. */
const FIELDS_A_SIGHT = 20

export function compilable(known: KnownDocument): CompilableDocument {
  return { known, deciding: decidingVariables(known.document), used: new Map() }
}

export function createCompiledOperations(parts: CompiledOperationsParts): CompiledOperations {
  const { schema, compiles, isSafeAbstract, onFault } = parts
  const ready = new BoundedCache<CompiledOperation>({ budget: cacheBudgets.compiled })
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

/** `?` where the variable is no boolean: what happens then is for graphql-js to say. */
function decisionOf(names: readonly string[], variables: Values): string {
  return names
    .map((name) => {
      const value = variables[name]
      return typeof value === 'boolean' ? (value ? 't' : 'f') : '?'
    })
    .join('')
}
