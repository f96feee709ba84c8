// Compiles repeated operations within limits, for each decision of `@skip` and `@include`.

import type { GraphQLAbstractType, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { cacheBudgets } from '../../../lib/cache-budgets.ts'
import { getObjectId } from '../../../lib/exact-key.ts'
import { type CompiledOperation, type CompileOperation, createCompileOperation } from './compile-operation.ts'
import { loadCompiler } from './load-compiler.ts'
import type { DocumentFacts } from './parse-document.ts'
import { listDecidingVariables } from './prune-selections.ts'

interface CompiledOperations {
  find(
    known: DocumentFacts,
    operation: OperationDefinitionNode,
    variables: Values,
    finished: boolean,
  ): CompiledOperation | undefined
  /** Loads the compiler; until then graphql-js runs all operations. */
  load(): Promise<void>
  readonly count: number
}

interface CompiledOperationsOptions {
  readonly schema: GraphQLSchema
  isSafeAbstract(type: GraphQLAbstractType): boolean
  onFault(fault: unknown): void
}

type Values = Readonly<Record<string, unknown>>

/** Bytes of compiled code for each field. */
const BYTES_PER_FIELD = 8000
/** Compiling a larger operation would block the event loop for too long. */
const MAX_FIELDS = 1000
/** Compiled variants per operation; graphql-js runs the others. */
const MAX_VARIANTS = 8

type Variants = Map<string, { readonly compiled: CompiledOperation | null }>

export function createCompiledOperations(options: CompiledOperationsOptions): CompiledOperations {
  const { onFault } = options
  const cache = new BoundedCache<Variants>({ name: 'compiled', budget: cacheBudgets.compiled })
  const deciding = new WeakMap<DocumentFacts, readonly string[]>()
  let compile: CompileOperation | undefined
  let loading: Promise<void> | undefined
  let count = 0

  function getDeciding(known: DocumentFacts): readonly string[] {
    let names = deciding.get(known)
    if (names === undefined) {
      names = listDecidingVariables(known.document)
      deciding.set(known, names)
    }
    return names
  }

  function load(): Promise<void> {
    loading ??= loadCompiler().then((compiler) => {
      compile = createCompileOperation(compiler, options)
    }, onFault)
    return loading
  }

  return {
    find(known, operation, variables, finished) {
      if (compile === undefined) {
        void load()
        return undefined
      }
      if (known.fields > MAX_FIELDS) return undefined
      const names = getDeciding(known)
      const decision = names.length === 0 ? '' : buildDecision(names, variables)
      const key = `${getObjectId(operation)}`
      const variants = cache.get(key) ?? new Map()
      const before = variants.get(decision)
      if (before !== undefined) return before.compiled ?? undefined
      if (variants.size >= MAX_VARIANTS || decision.includes('?')) return undefined
      const compiled = compile(known, operation, variables, finished) ?? null
      if (compiled !== null) count += 1
      variants.set(decision, { compiled })
      cache.set(key, variants, variants.size * known.fields * BYTES_PER_FIELD)
      return compiled ?? undefined
    },
    load,
    get count() {
      return count
    },
  }
}

/** `?` for a variable that is not a boolean, which graphql-js handles. */
function buildDecision(names: readonly string[], variables: Values): string {
  return names
    .map((name) => {
      const value = variables[name]
      return typeof value === 'boolean' ? (value ? 't' : 'f') : '?'
    })
    .join('')
}
