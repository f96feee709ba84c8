// Types the used parts of sql.js and WebAssembly; the published types are incomplete.

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
  /** They take the handle of a statement. */
  _sqlite3_column_count(statement: number): number
  _sqlite3_data_count(statement: number): number
  _sqlite3_column_type(statement: number, column: number): number
  _sqlite3_column_double(statement: number, column: number): number
  _sqlite3_column_text(statement: number, column: number): number
  _sqlite3_column_bytes(statement: number, column: number): number
}

export interface WasmModule {
  readonly brand: unique symbol
}

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>
}

interface WebAssemblyGlobal {
  compile(bytes: Uint8Array): Promise<WasmModule>
  instantiate(module: WasmModule, imports: unknown): Promise<WasmInstance>
  readonly RuntimeError: ErrorConstructor
  readonly Memory: new (...never: never[]) => { readonly buffer: ArrayBuffer }
}

export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyGlobal }).WebAssembly
