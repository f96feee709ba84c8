// What of sql.js and of WebAssembly is used here, as types; the published types know less than there is.

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
