// What the house asks of a database. Work is written as a generator that yields statements: an embedded engine
// runs it to the end in one go, so that no other request's statement can come between; a server's driver awaits
// each step on one connection.

import type { Diagnostic } from '../errors/diagnostic.ts'

import type { Dialect } from '../sql/dialect.ts'
import type { SqlRow, SqlValue, Statement } from '../sql/statement.ts'

/** One step of work: a statement and the values of its placeholders, in order. */
export interface Step {
  readonly statement: Statement
  readonly values: readonly SqlValue[]
}

/** Steps that do not wait for each other: a server gets them in one message. */
export type Steps = readonly Step[]

/** The rows of a step, or of each of the steps. */
export type Answer = readonly SqlRow[] | readonly (readonly SqlRow[])[]

/**
 * Yields steps by way of `run`, `runAll` and `together`, is given their rows, returns a result. It must not await
 * anything. A server may begin it anew after a conflict, so it may change nothing but the database.
 */
export type Work<T> = Generator<Step | Steps, T, Answer>

export interface Database {
  /**
   * Left out of the declarations of the package: its types are those of a bundled one.
   *
   * @internal
   */
  readonly dialect: Dialect
  /** Whether an acknowledged write survives the end of the process. */
  readonly durable: boolean
  /**
   * Runs reads over one consistent state. Embedded engines answer at once, servers with a promise. `once`: the work
   * yields once only, so that no transaction has to hold its steps together. `mayLag`: a state of a moment ago will do.
   */
  read<T>(work: () => Work<T>, once?: boolean, mayLag?: boolean): T | Promise<T>
  /**
   * Runs reads and writes as one transaction: all of it or, when it throws, nothing. After a statement failed
   * the work may clean up or throw an error of its own, but not go on. `patient`: it may take longer than a request.
   */
  transaction<T>(work: () => Work<T>, patient?: boolean): T | Promise<T>
  /** Servers: nobody else runs such a task in the same database meanwhile, in whatever process. */
  exclusively?<T>(task: () => Promise<T>): Promise<T>
  /**
   * A transaction that stays open while `task` waits for users' code; what `task` asks of the database is part of it.
   */
  hold<T>(task: () => Promise<T>): Promise<T>
  /**
   * All that `task` reads through its reader is one state, however long it takes and whoever writes meanwhile.
   *
   * @internal
   */
  readOneState?<T>(task: (reader: DatabaseReader) => Promise<T>): Promise<T>
  /** Servers: resolves when it answered, now or a moment ago; rejects when it does not within so many milliseconds. */
  ping?(limit: number): Promise<void>
  /** Memory only: a copy of the whole content. After a failure the engine starts again from the last one. */
  snapshot?(): Snapshot
  /** Memory only: puts a copy back in the place of the whole content. */
  restore?(snapshot: Snapshot): void
  close(): Promise<void>
}

/** @internal */
export type DatabaseReader = Pick<Database, 'dialect' | 'read'>

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
  /** The database's own code, where it has one. */
  readonly code: string | undefined

  constructor(kind: StatementFailure['kind'], reason: string, statement: string, code?: string) {
    super(reason)
    this.kind = kind
    this.statement = statement
    this.code = code
  }
}

/** The engine itself broke and is gone; what it held comes back from the last snapshot. */
export class EngineFailure extends Error {
  override name = 'EngineFailure'
}

/** Of several processes on a server's database, none runs such a task meanwhile. */
export function aloneWith<T>(database: Database, task: () => Promise<T>): Promise<T> {
  return database.exclusively === undefined ? task() : database.exclusively(task)
}

/** Runs one statement within work. */
export function* run(statement: Statement, values: readonly SqlValue[]): Work<readonly SqlRow[]> {
  return (yield { statement, values }) as readonly SqlRow[]
}

/** Runs statements that do not need each other's rows. */
export function* runAll(steps: Steps): Work<readonly (readonly SqlRow[])[]> {
  return (yield steps) as readonly (readonly SqlRow[])[]
}

/**
 * Ends work by the failure of a step, and says what to answer: the work may clean up and may throw an error of its own
 * instead, but not go on.
 */
export function abandon(work: Work<unknown>, failure: unknown): unknown {
  try {
    work.throw(failure)
  } catch (own) {
    return own
  }
  return failure
}

export function isSteps(asked: Step | Steps): asked is Steps {
  return Array.isArray(asked)
}

/** Works that do not need each other, side by side: what they ask at the same time is asked at once. */
export function* together(works: readonly Work<void>[]): Work<void> {
  let waiting = works.flatMap((work) => asked(work, work.next()))
  while (waiting.length > 0) {
    const steps = waiting.flatMap(({ ask }) => (isSteps(ask) ? ask : [ask]))
    const answers = yield* runAll(steps)
    let at = 0
    waiting = waiting.flatMap(({ work, ask }) => {
      const start = at
      at += isSteps(ask) ? ask.length : 1
      const answer = isSteps(ask) ? answers.slice(start, at) : (answers[start] ?? [])
      return asked(work, work.next(answer))
    })
  }
}

interface Waiting {
  readonly work: Work<void>
  readonly ask: Step | Steps
}

function asked(work: Work<void>, next: IteratorResult<Step | Steps, void>): readonly Waiting[] {
  return next.done === true ? [] : [{ work, ask: next.value }]
}

/** The database cannot be opened as the configuration has it. */
export class OpenFailure extends Error {
  override name = 'OpenFailure'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'))
    this.diagnostics = diagnostics
  }
}
