// Types of the used parts of libsql; the published types are those of better-sqlite3 and contain `any`.

export interface LibsqlDatabase {
  readonly inTransaction: boolean
  prepare(text: string): LibsqlStatement
  exec(text: string): void
  /** The file stays open until the garbage collector has freed the statements, too. */
  close(): void
}

export interface LibsqlStatement {
  /** Whether the statement returns rows. */
  readonly reader: boolean
  /** Returns rows as lists. Only for a `reader`. */
  raw(): this
  /** Takes one list of values, which libsql cannot mistake for named ones. */
  all(values: readonly unknown[]): (string | number | null)[][]
  /** `all`, row by row; no other call may use the statement before the last one. */
  iterate(values: readonly unknown[]): Iterator<(string | number | null)[], undefined>
  /** Of these calls the only one that resets the statement. */
  get(values: readonly unknown[]): unknown
  run(values: readonly unknown[]): unknown
}

/** Runs outside the main thread. */
export interface AsyncLibsqlDatabase {
  prepare(text: string): Promise<AsyncLibsqlStatement>
  exec(text: string): Promise<void>
  /** Ends the running statement with an error. */
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
