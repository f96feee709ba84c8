// The contract of a kind of server for `ServerDatabase`: its connections, the statements around transactions, and the
// meaning of its failures.

import type { DatabaseListener, PoolUse } from '../../database.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { SqlRow, SqlValue, Statement } from '../../sql/statement.ts'

export interface ServerEngine {
  readonly dialect: Dialect
  readonly connections: ServerConnections
  readonly replicas: ServerReplicas | undefined
  /** A connection outside the pool, so that an exclusive task may use the whole pool. */
  openOwnConnections(): ServerConnections
  /** Undefined where nothing notifies. */
  listen(woken: () => void): DatabaseListener | undefined
  readonly steps: TransactionSteps
  countPlaceholders(text: string): number
  getFailureKind(error: unknown): FailureKind
  /** The error to report: never one of the client library, whose messages may hold secrets. */
  buildFailure(error: unknown, statement: string): unknown
}

/** The statements around those of a transaction; their results are not read. */
interface TransactionSteps {
  /** For a read of one statement; empty where each statement is a transaction and settings last. */
  readonly beginSingleRead: readonly SentStatement[]
  readonly endSingleRead: readonly SentStatement[]
  readonly beginRead: readonly SentStatement[]
  readonly beginWrite: readonly SentStatement[]
  /** For a transaction that waits for users' code. */
  readonly beginHold: readonly SentStatement[]
  /** Lets the statements of a transaction take as long as `LONG_TIMEOUT_MS`. */
  readonly beginPatience: readonly SentStatement[]
  /** Takes that back, after the transaction. */
  readonly endPatience: readonly SentStatement[]
  /** For a task that no two processes run at the same time. It has a connection outside the pool. */
  readonly beginAlone: readonly SentStatement[]
  /** For many reads of one state. They have a connection outside the pool. */
  readonly beginOneState: readonly SentStatement[]
  /** For a write that conflicted several times: such writes run one after the other. */
  readonly queue: readonly SentStatement[]
}

/**
 * `conflict`: the whole transaction may be tried again. `lost`: the connection is gone, with its uncommitted
 * transaction. `stale`: a prepared statement's tables have changed. `silent`: the server no longer answers on
 * this connection.
 */
export type FailureKind = 'conflict' | 'lost' | 'stale' | 'silent' | 'none'

export interface SentStatement {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** Where the server has no RETURNING. */
  readonly answer?: Statement['answer']
}

export interface ServerConnection {
  /**
   * At most `timeout` milliseconds. Rejects with the server's error; then the statements after the failed one were not
   * run.
   */
  send(statements: readonly SentStatement[], timeout?: number): Promise<readonly (readonly SqlRow[])[]>
  release(broken: boolean): void
}

export interface ServerConnections {
  acquire(): Promise<ServerConnection>
  /** On the clock of `performance.now()`. */
  readonly answeredAt: number
  readonly exhausted: boolean
  readonly use: PoolUse
  close(): Promise<void>
}

export interface ServerReplicas {
  /** Undefined where none shows all that this process wrote. */
  next(now: number): ServerReplica | undefined
  failed(replica: ServerReplica, now: number): void
  wrote(): void
  close(): Promise<void>
}

interface ServerReplica {
  readonly connections: ServerConnections
}

export const LONG_TIMEOUT_MS = 3_600_000

export function command(text: string): SentStatement {
  return { text, values: [] }
}
