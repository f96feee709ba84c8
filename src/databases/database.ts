// What the house asks of a database. Work is written as a generator that yields statements: an embedded engine
// runs it to the end in one go, so that no other request's statement can come between; a server's driver awaits
// each step on one connection.

import type { Dialect } from '../sql/dialect.ts'
import type { SqlRow, SqlValue, Statement } from '../sql/statement.ts'

/** One step of work: a statement and the values of its placeholders, in order. */
export interface Step {
  readonly statement: Statement
  readonly values: readonly SqlValue[]
}

/** Yields steps, is given each step's rows, returns a result. It must not await anything. */
export type Work<T> = Generator<Step, T, readonly SqlRow[]>

export interface Database {
  readonly dialect: Dialect
  /** Whether an acknowledged write survives the end of the process. */
  readonly durable: boolean
  /** Runs reads over one consistent state. Embedded engines answer at once, servers with a promise. */
  read<T>(work: () => Work<T>): T | Promise<T>
  /**
   * Runs reads and writes as one transaction: all of it or, when it throws, nothing. After a statement failed
   * the work may clean up or throw an error of its own, but not go on.
   */
  transaction<T>(work: () => Work<T>): T | Promise<T>
  /** Memory only: a copy of the whole content. After a failure the engine starts again from the last one. */
  snapshot?(): Snapshot
  /** Memory only: puts a copy back in the place of the whole content. */
  restore?(snapshot: Snapshot): void
  close(): Promise<void>
}

/** An opaque copy of a memory database. */
export interface Snapshot {
  readonly bytes: Uint8Array
}

/** A unique index refused a write; the columns are the index's. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
  readonly table: string
  readonly columns: readonly string[]

  constructor(table: string, columns: readonly string[]) {
    super(`unique index on ${table} (${columns.join(', ')})`)
    this.table = table
    this.columns = columns
  }
}

/** The database refused a statement for another reason: our own mistake, unless a link's target is gone. */
export class StatementFailure extends Error {
  override name = 'StatementFailure'
  readonly kind: 'foreign-key' | 'constraint' | 'other'
  /** For the log; a client never sees it. */
  readonly statement: string

  constructor(kind: StatementFailure['kind'], reason: string, statement: string) {
    super(reason)
    this.kind = kind
    this.statement = statement
  }
}

/** The engine itself broke and is gone; what it held comes back from the last snapshot. */
export class EngineFailure extends Error {
  override name = 'EngineFailure'
}

/** Runs one statement within work. */
export function* run(statement: Statement, values: readonly SqlValue[]): Work<readonly SqlRow[]> {
  return yield { statement, values }
}
