// Types the used parts of libsql; the published types contain `any`.

export interface LibsqlDatabase {
  readonly inTransaction: boolean
  prepare(text: string): LibsqlStatement
  exec(text: string): void
  /** The file stays open until the garbage collector has freed the statements, too. */
  close(): void
}

export interface LibsqlStatement {
  readonly reader: boolean
  raw(): this
  /** Takes one list of values, which libsql cannot mistake for named ones. */
  all(values: readonly unknown[]): (string | number | null)[][]
  /** No other call may use the statement before the last row. */
  iterate(values: readonly unknown[]): Iterator<(string | number | null)[], undefined>
  /** The only one of these calls that resets the statement. */
  get(values: readonly unknown[]): unknown
  run(values: readonly unknown[]): unknown
}

export interface AsyncLibsqlDatabase {
  prepare(text: string): Promise<AsyncLibsqlStatement>
  exec(text: string): Promise<void>
  interrupt(): void
  close(): void
}

export interface AsyncLibsqlStatement {
  raw(): this
  /** Finds the first row outside the main thread, the others in it. */
  iterate(values: readonly unknown[]): Promise<Iterator<(string | number | null)[], undefined>>
}

export interface LibsqlApi {
  open(path: string): LibsqlDatabase
  openAsync(path: string): AsyncLibsqlDatabase
}
