// Implements Database on PostgreSQL. Reads are repeatable read; transactions are read committed and repeated
// after a conflict (decision 0003).

import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '../../../lib/errors/api-error.ts'
import { InvariantError } from '../../../lib/errors/invariant.ts'
import {
  type Database,
  type DatabaseListener,
  type DatabaseReader,
  type DatabaseServer,
  type PoolUse,
  type ReadOptions,
  StatementFailure,
  type TransactionOptions,
  type Work,
} from '../../database.ts'
import { HeldTransactions } from '../../held-transactions.ts'
import { buildTransactionSettings } from './connection-settings.ts'
import type { Connections, PooledConnection } from './connections.ts'
import { type FinishedWork, finishWork, type RequestContext, StepError } from './finish-work.ts'
import { HeldConnection } from './held-connection.ts'
import { listen } from './listening.ts'
import { ping } from './ping.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { buildFailure, type FailureKind, getFailureKind, isStatementTimeout } from './postgres-failure.ts'
import { Replicas } from './replicas.ts'
import type { SentBatch } from './statement-batch.ts'
import {
  acquire,
  BEGIN_READ,
  BEGIN_WRITE,
  buildAdvisoryLock,
  COMMIT,
  command,
  commit,
  ROLLBACK,
  settle,
} from './transaction-steps.ts'

/** How often a conflicting transaction is tried. */
const MAX_ATTEMPTS = 8
/** From this try on, repeated transactions run one after the other. */
const MIN_QUEUED_ATTEMPT = 3
const MAX_ATTEMPTS_WHEN_LOST = 3
/** The longest pause in milliseconds, multiplied by the number of the try. */
const MAX_JITTER_MS = 20
const LONG_TIMEOUT_MS = 3_600_000

const LONG_STATEMENTS = command(`set local statement_timeout = ${LONG_TIMEOUT_MS}`)
const LASTING: readonly SentBatch[] = [
  command('set local idle_in_transaction_session_timeout = 0'),
  LONG_STATEMENTS,
]
/** Users' code is itself stopped earlier. */
const MAX_IDLE_MS = 60_000

/** The first keys of advisory locks; the second key comes from the schema. */
const TRYING_AGAIN = 0x63_6d_73_01
const ALONE = 0x63_6d_73_02

export class PostgresDatabase implements Database, DatabaseServer {
  readonly dialect = postgresDialect
  readonly durable = true
  readonly server = this
  readonly copies = undefined
  readonly outsideChanges = undefined
  readonly #connections: Connections
  readonly #replicas: Replicas
  readonly #openOwnPool: () => Connections
  readonly #settings: readonly SentBatch[]
  readonly #held = new HeldTransactions<HeldConnection>()
  /** Set within a migration or seed, whose statements may take longer. */
  readonly #patient = new AsyncLocalStorage<true>()
  #closed = false

  /** Opens a connection outside the pool, so that an exclusive task may use the whole pool. */
  constructor(connections: Connections, replicas: readonly Connections[], openOwnPool: () => Connections) {
    this.#connections = connections
    this.#replicas = new Replicas(connections, replicas)
    this.#openOwnPool = openOwnPool
    const { settings } = connections
    this.#settings = settings.pooler ? [command(buildTransactionSettings(settings))] : []
  }

  get poolUse(): PoolUse {
    return this.#connections.use
  }

  async read<T>(work: () => Work<T>, { single = false, mayLag = false }: ReadOptions = {}): Promise<T> {
    const held = this.#held.own
    if (held !== undefined) return held.work(work)
    const replica = mayLag ? this.#replicas.next(Date.now()) : undefined
    if (replica === undefined) return this.#readFrom(this.#connections, MAX_ATTEMPTS_WHEN_LOST, work, single)
    try {
      return await this.#readFrom(replica.connections, 1, work, single)
    } catch (error) {
      if (isStatementTimeout(error)) throw error
      // The replica is down, lacks a migration, or conflicts with its replication.
      if (!(error instanceof ApiError || error instanceof StatementFailure)) throw error
      if (error instanceof ApiError) this.#replicas.failed(replica, Date.now())
      return this.#readFrom(this.#connections, MAX_ATTEMPTS_WHEN_LOST, work, single)
    }
  }

  #readFrom<T>(from: Connections, tries: number, work: () => Work<T>, single: boolean): Promise<T> {
    const patient = this.#patient.getStore() === true
    const settings = patient ? [...this.#settings, LONG_STATEMENTS] : this.#settings
    const around: RequestContext = {
      before: single && settings.length === 0 ? [] : [BEGIN_READ, ...settings],
      after: single && settings.length > 0 ? [COMMIT] : [],
      patience: patient ? LONG_TIMEOUT_MS : undefined,
    }
    return this.#tryAgain(from, tries, 0, async (connection) => {
      const { result, began } = await this.#attempt(work, connection, around, around.before.length > 0)
      // The rows are complete, so the caller need not wait for the end of the transaction.
      if (began && !single) void settle(connection, COMMIT)
      else connection.release(false)
      return result
    })
  }

  async transaction<T>(
    work: () => Work<T>,
    { patient = this.#patient.getStore() === true }: TransactionOptions = {},
  ): Promise<T> {
    const held = this.#held.own
    if (held !== undefined) return held.work(work)
    return this.#tryAgain(
      this.#connections,
      MAX_ATTEMPTS_WHEN_LOST,
      MAX_ATTEMPTS,
      async (connection, tries) => {
        const patience = patient ? LONG_TIMEOUT_MS : undefined
        const before = [BEGIN_WRITE, ...this.#settings]
        if (patient) before.push(LONG_STATEMENTS)
        if (tries >= MIN_QUEUED_ATTEMPT)
          before.push(buildAdvisoryLock(TRYING_AGAIN, this.#connections.settings.schema))
        const { result, began } = await this.#attempt(work, connection, { before, after: [], patience }, true)
        if (began) await commit(connection)
        this.#replicas.wrote()
        connection.release(false)
        return result
      },
    )
  }

  async hold<T>(task: () => Promise<T>): Promise<T> {
    const begin = (): Promise<HeldConnection> =>
      this.#tryAgain(this.#connections, MAX_ATTEMPTS_WHEN_LOST, 0, async (connection) => {
        const idle = command(`set local idle_in_transaction_session_timeout = ${MAX_IDLE_MS}`)
        try {
          await connection.send([BEGIN_WRITE, ...this.#settings, idle])
        } catch (error) {
          connection.release(true)
          throw new StepError(getFailureKind(error), buildFailure(error, BEGIN_WRITE.text))
        }
        return new HeldConnection(connection)
      })
    const result = await this.#held.run(begin, task)
    this.#replicas.wrote()
    return result
  }

  /** By a transaction on a connection of its own. */
  exclusively<T>(task: () => Promise<T>): Promise<T> {
    const { schema } = this.#connections.settings
    return this.#onOwnConnection(BEGIN_WRITE, [buildAdvisoryLock(ALONE, schema)], () =>
      this.#patient.run(true, task),
    )
  }

  readOneState<T>(task: (reader: DatabaseReader) => Promise<T>): Promise<T> {
    return this.#onOwnConnection(BEGIN_READ, [], (connection) =>
      task({
        dialect: this.dialect,
        read: async (work) => {
          try {
            return (
              await finishWork(work(), connection, { before: [], after: [], patience: LONG_TIMEOUT_MS })
            ).result
          } catch (error) {
            throw error instanceof StepError ? error.outcome : error
          }
        },
      }),
    )
  }

  async #onOwnConnection<T>(
    begin: SentBatch,
    more: readonly SentBatch[],
    task: (connection: PooledConnection) => Promise<T>,
  ): Promise<T> {
    const apart = this.#openOwnPool()
    try {
      const connection = await apart.acquire().catch((error: unknown) => {
        throw buildFailure(error, '')
      })
      try {
        await connection
          .send([begin, ...this.#settings, ...LASTING, ...more], LONG_TIMEOUT_MS)
          .catch((error: unknown) => {
            throw buildFailure(error, '')
          })
        return await task(connection)
      } finally {
        await settle(connection, COMMIT)
      }
    } finally {
      await apart.close()
    }
  }

  ping(limit: number): Promise<void> {
    return ping(this.#connections, this.#openOwnPool, limit)
  }

  listen(woken: () => void): DatabaseListener | undefined {
    const { settings } = this.#connections
    return settings.pooler ? undefined : listen(settings, woken)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all([this.#connections.close(), this.#replicas.close()])
  }

  async #attempt<T>(
    work: () => Work<T>,
    connection: PooledConnection,
    around: RequestContext,
    opens: boolean,
  ): Promise<FinishedWork<T>> {
    try {
      return await finishWork(work(), connection, around)
    } catch (error) {
      const failureKind = error instanceof StepError ? error.failureKind : 'none'
      if (failureKind === 'lost' || failureKind === 'stale' || failureKind === 'silent')
        connection.release(true)
      else if (opens) void settle(connection, ROLLBACK)
      else connection.release(false)
      throw error
    }
  }

  async #tryAgain<T>(
    from: Connections,
    whenLost: number,
    whenConflicting: number,
    attempt: (connection: PooledConnection, tries: number) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw new InvariantError('the database is closed')
    let stale = 0
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(await acquire(from), tries)
      } catch (error) {
        if (!(error instanceof StepError)) throw error
        // Every connection of the pool may have prepared statements of the old table.
        if (error.failureKind === 'stale' && stale++ < from.settings.max) continue
        if (!mayTryAgain(error.failureKind, tries, whenLost, whenConflicting)) throw error.outcome
        await wait(Math.random() * MAX_JITTER_MS * tries)
      }
    }
  }
}

function mayTryAgain(
  failureKind: FailureKind,
  tries: number,
  whenLost: number,
  whenConflicting: number,
): boolean {
  if (failureKind === 'conflict') return tries < whenConflicting
  return failureKind === 'lost' && tries < whenLost
}
