// What of libsql is used here, as types; the published ones are better-sqlite3's, with `any` in them.

export interface LibsqlDatabase {
  readonly inTransaction: boolean
  prepare(text: string): LibsqlStatement
  exec(text: string): void
  /** The file stays open until its statements are collected, too. */
  close(): void
}

export interface LibsqlStatement {
  /** Whether it answers rows. */
  readonly reader: boolean
  /** Rows as lists. Only of a reader. */
  raw(): this
  /** One list of values: a list alone is never taken for named ones. */
  all(values: readonly unknown[]): (string | number | null)[][]
  run(values: readonly unknown[]): unknown
}

/** Runs outside the main thread. */
export interface AsyncLibsqlDatabase {
  exec(text: string): Promise<void>
  close(): void
}

export interface LibsqlApi {
  open(path: string): LibsqlDatabase
  openAsync(path: string): AsyncLibsqlDatabase
}
