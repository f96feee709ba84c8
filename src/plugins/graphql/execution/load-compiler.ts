// Loads graphql-jit for the first document to compile: loading takes 100 ms, and many servers never need it.

import type { compileQuery } from 'graphql-jit'

export interface Compiler {
  readonly compileQuery: typeof compileQuery
}

let loading: Promise<Compiler> | undefined

export function loadCompiler(): Promise<Compiler> {
  loading ??= import('graphql-jit')
  return loading
}
