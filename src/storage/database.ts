// Defines databases, whose work is a generator of statements. An embedded engine runs it in one turn,
// isolated from other requests; a server's driver awaits each step.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'

import type { Dialect } from './sql/dialect.ts'
import type { SqlRow, SqlValue, Statement } from './sql/statement.ts'

export interface Step {
  readonly statement: Statement
  readonly values: readonly SqlValue[]
}

/** A server gets these steps in one message, so they must not need each other's results. */
export type Steps = readonly Step[]

export type StepResult = readonly SqlRow[] | readonly (readonly SqlRow[])[]

/**
 * Yields steps and receives their rows. It cannot await anything. A server may run it again after a conflict,
 * so it must change nothing but the database.
 */
export type Work<T> = Generator<Step | Steps, T, StepResult>

export interface ReadOptions {
  readonly single?: boolean | undefined
  readonly mayLag?: boolean | undefined
}

export interface TransactionOptions {
  /** It may take longer than a request. */
  readonly patient?: boolean | undefined
}

export interface Database {
  /**
   * Left out of the declarations of the package, because its types come from a bundled package.
   *
   * @internal
   */
  readonly dialect: Dialect
  /** Whether an acknowledged write survives the end of the process. */
  readonly durable: boolean
  /** Runs reads over one consistent state. Embedded engines return at once, servers return a promise. */
  read<T>(work: () => Work<T>, options?: ReadOptions): T | Promise<T>
  /**
   * Runs one transaction, which is undone if the work throws. After a failed statement, the work must throw
   * that error or another one, without further statements.
   */
  transaction<T>(work: () => Work<T>, options?: TransactionOptions): T | Promise<T>
  exclusively<T>(task: () => Promise<T>): Promise<T>
  /**
   * Opens a transaction that stays open while `task` waits for users' code; all reads and writes of `task`
   * are part of it.
   */
  hold<T>(task: () => Promise<T>): Promise<T>
  /**
   * Everything that `task` reads through its reader is one state, however long it takes and despite other writes.
   *
   * @internal
   */
  readOneState<T>(task: (reader: DatabaseReader) => Promise<T>): Promise<T>
  /** Undefined for an engine in this process. */
  readonly server: DatabaseServer | undefined
  /** Undefined unless the content is in this process's memory. */
  readonly copies: ContentCopies | undefined
  /**
   * How often the content was changed by anything but `transaction` and `hold`, as the next read sees it: replaced as a
   * whole, or written by another program. Undefined while that is not known, as always for a server.
   *
   * @internal
   */
  readonly outsideChanges: number | undefined
  close(): Promise<void>
}

export interface DatabaseServer {
  /** Resolves if the server answers, or did a moment ago; rejects if not within `limit` milliseconds. */
  ping(limit: number): Promise<void>
  /**
   * Calls `woken` after each commit, of any process, of a transaction that ran `dialect.notify`, and when the
   * listening connection has come back. Undefined where sessions are shared.
   */
  listen(woken: () => void): DatabaseListener | undefined
  /** @internal */
  readonly poolUse: PoolUse
}

export interface ContentCopies {
  /** Whether a write is not done yet, during which `snapshot` and `restore` throw TypeError. */
  readonly writing: boolean
  /**
   * Copies the content, at the cost of the writes since the last copy. After a failure the engine starts
   * again from the last copy.
   */
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
}

export interface DatabaseListener {
  /** Whether notifications arrive at the moment. */
  readonly up: boolean
  close(): Promise<void>
}

/** @internal */
export interface PoolUse {
  readonly open: number
  readonly idle: number
  readonly waiting: number
  readonly limit: number
}

/** @internal */
export type DatabaseReader = Pick<Database, 'dialect' | 'read'>

/** An opaque copy of a memory database, in pages; copies share equal pages. */
export interface Snapshot {
  /** @internal */
  readonly pages: readonly Uint8Array[]
  /** @internal Another one after each statement that may have changed the tables. */
  readonly schema: symbol
}

/** A unique index refused a write; `columns` are those of the index. */
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

/** The database cannot take the statement in one piece; only client queries grow so large. */
export const TOO_COMPLEX = 'The filters are too complex for the database: send several smaller requests'

/** The database refused a statement for another reason: a bug, unless the target of a link was deleted. */
export class StatementFailure extends Error {
  override name = 'StatementFailure'
  /** `defined`: a table, column or index is there already, or is not there any more. */
  readonly kind: 'foreign-key' | 'constraint' | 'defined' | 'other'
  /** For the log; a client never sees it. */
  readonly statement: string
  readonly code: string | undefined

  constructor(kind: StatementFailure['kind'], reason: string, statement: string, code?: string) {
    super(reason)
    this.kind = kind
    this.statement = statement
    this.code = code
  }
}

/** The engine itself broke; its content comes back from the last snapshot. */
export class EngineFailure extends Error {
  override name = 'EngineFailure'
}

export function* run(statement: Statement, values: readonly SqlValue[]): Work<readonly SqlRow[]> {
  return (yield { statement, values }) as readonly SqlRow[]
}

export function* runEach(statements: readonly Statement[]): Work<void> {
  for (const statement of statements) yield* run(statement, [])
}

export function* runAll(steps: Steps): Work<readonly (readonly SqlRow[])[]> {
  return (yield steps) as readonly (readonly SqlRow[])[]
}

/**
 * Ends work with the failure of a step, and returns the error to report: the work may clean up and throw an
 * error of its own, but not continue.
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

/** Runs independent works side by side: statements that they yield at the same time are sent together. */
export function* runTogether(works: readonly Work<void>[]): Work<void> {
  let waiting = works.flatMap((work) => listWaiting(work, work.next()))
  while (waiting.length > 0) {
    const steps = waiting.flatMap(({ step }) => (isSteps(step) ? step : [step]))
    const results = yield* runAll(steps)
    let at = 0
    waiting = waiting.flatMap(({ work, step }) => {
      const start = at
      at += isSteps(step) ? step.length : 1
      const result = isSteps(step) ? results.slice(start, at) : (results[start] ?? [])
      return listWaiting(work, work.next(result))
    })
  }
}

interface WaitingStep {
  readonly work: Work<void>
  readonly step: Step | Steps
}

function listWaiting(work: Work<void>, next: IteratorResult<Step | Steps, void>): readonly WaitingStep[] {
  return next.done === true ? [] : [{ work, step: next.value }]
}

export class OpenFailure extends Error {
  override name = 'OpenFailure'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'))
    this.diagnostics = diagnostics
  }
}
