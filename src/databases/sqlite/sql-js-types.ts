// Types of the used parts of sql.js and WebAssembly; the published types are incomplete.

/** The documented classes of sql.js. */
export interface SqlJsDatabase {
  prepare(text: string): SqlJsStatement
  export(): Uint8Array
  close(): void
}

export interface SqlJsStatement {
  bind(values: readonly unknown[]): boolean
  step(): boolean
  get(): (string | number | null | Uint8Array)[]
  reset(): void
  free(): boolean
}

export interface SqlJsApi {
  readonly Database: new (bytes?: Uint8Array) => SqlJsDatabase
}

export interface WasmModule {
  readonly brand: unique symbol
}

export interface WasmInstance {
  readonly exports: unknown
}

interface WebAssemblyGlobal {
  compile(bytes: Uint8Array): Promise<WasmModule>
  instantiate(module: WasmModule, imports: unknown): Promise<WasmInstance>
  readonly RuntimeError: ErrorConstructor
}

export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyGlobal }).WebAssembly
