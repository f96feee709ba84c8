// Implements Database on a server. Reads are of one state; transactions are read committed and repeated after a conflict
// (decision 0003).

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
import { type FinishedWork, finishWork, type RequestContext, StepError } from './finish-work.ts'
import { HeldConnection } from './held-connection.ts'
import { ping } from './ping.ts'
import {
  type FailureKind,
  LONG_TIMEOUT_MS,
  type SentStatement,
  type ServerConnection,
  type ServerConnections,
  type ServerEngine,
} from './server-engine.ts'
import { isStatementTimeout } from './server-failure.ts'
import { acquire, COMMIT, commit, ROLLBACK, settle } from './transaction-steps.ts'

/** How often a conflicting transaction is tried. */
const MAX_ATTEMPTS = 8
/** From this try on, repeated transactions run one after the other. */
const MIN_QUEUED_ATTEMPT = 3
const MAX_ATTEMPTS_WHEN_LOST = 3
/** The longest pause in milliseconds, multiplied by the number of the try. */
const MAX_JITTER_MS = 20

export class ServerDatabase implements Database, DatabaseServer {
  readonly dialect: ServerEngine['dialect']
  readonly durable = true
  readonly server = this
  readonly copies = undefined
  readonly outsideChanges = undefined
  readonly #engine: ServerEngine
  readonly #held = new HeldTransactions<HeldConnection>()
  /** Set within a migration or seed, whose statements may take longer. */
  readonly #patient = new AsyncLocalStorage<true>()
  #closed = false

  constructor(engine: ServerEngine) {
    this.#engine = engine
    this.dialect = engine.dialect
  }

  get poolUse(): PoolUse {
    return this.#engine.connections.use
  }

  async read<T>(work: () => Work<T>, { single = false, mayLag = false }: ReadOptions = {}): Promise<T> {
    const held = this.#held.own
    if (held !== undefined) return held.work(work)
    const { connections, replicas } = this.#engine
    const replica = mayLag ? replicas?.next(Date.now()) : undefined
    if (replica === undefined) return this.#readFrom(connections, MAX_ATTEMPTS_WHEN_LOST, work, single)
    try {
      return await this.#readFrom(replica.connections, 1, work, single)
    } catch (error) {
      if (isStatementTimeout(error)) throw error
      // The replica is down, lacks a migration, or conflicts with its replication.
      if (!(error instanceof ApiError || error instanceof StatementFailure)) throw error
      if (error instanceof ApiError) replicas?.failed(replica, Date.now())
      return this.#readFrom(connections, MAX_ATTEMPTS_WHEN_LOST, work, single)
    }
  }

  #readFrom<T>(from: ServerConnections, tries: number, work: () => Work<T>, single: boolean): Promise<T> {
    const { steps } = this.#engine
    const patient = this.#patient.getStore() === true
    const isTransaction = patient || !single
    const around: RequestContext = {
      before: isTransaction ? [...steps.beginRead, ...this.#beginPatience(patient)] : steps.beginSingleRead,
      after: isTransaction ? [] : steps.endSingleRead,
      patience: patient ? LONG_TIMEOUT_MS : undefined,
    }
    return this.#tryAgain(from, tries, 0, async (connection) => {
      const opens = around.before.length > 0
      const { result, began } = await this.#attempt(work, connection, around, opens, patient)
      // The rows are complete, so the caller need not wait for the end of the transaction.
      if (began && isTransaction) void settle(connection, [COMMIT, ...this.#endPatience(patient)])
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
    const { connections, replicas, steps } = this.#engine
    return this.#tryAgain(connections, MAX_ATTEMPTS_WHEN_LOST, MAX_ATTEMPTS, async (connection, tries) => {
      const before = [...steps.beginWrite, ...this.#beginPatience(patient)]
      if (tries >= MIN_QUEUED_ATTEMPT) before.push(...steps.queue)
      const around = { before, after: [], patience: patient ? LONG_TIMEOUT_MS : undefined }
      const { result, began } = await this.#attempt(work, connection, around, true, patient)
      if (began) await commit(connection, this.#engine)
      replicas?.wrote()
      void settle(connection, began ? this.#endPatience(patient) : [])
      return result
    })
  }

  #beginPatience(patient: boolean): readonly SentStatement[] {
    return patient ? this.#engine.steps.beginPatience : []
  }

  #endPatience(patient: boolean): readonly SentStatement[] {
    return patient ? this.#engine.steps.endPatience : []
  }

  async hold<T>(task: () => Promise<T>): Promise<T> {
    const { connections, replicas, steps } = this.#engine
    const begin = (): Promise<HeldConnection> =>
      this.#tryAgain(connections, MAX_ATTEMPTS_WHEN_LOST, 0, async (connection) => {
        try {
          await connection.send(steps.beginHold)
        } catch (error) {
          connection.release(true)
          throw new StepError(this.#engine.getFailureKind(error), this.#engine.buildFailure(error, 'begin'))
        }
        return new HeldConnection(connection, this.#engine)
      })
    const result = await this.#held.run(begin, task)
    replicas?.wrote()
    return result
  }

  exclusively<T>(task: () => Promise<T>): Promise<T> {
    return this.#onOwnConnection(this.#engine.steps.beginAlone, () => this.#patient.run(true, task))
  }

  readOneState<T>(task: (reader: DatabaseReader) => Promise<T>): Promise<T> {
    const around: RequestContext = { before: [], after: [], patience: LONG_TIMEOUT_MS }
    return this.#onOwnConnection(this.#engine.steps.beginOneState, (connection) =>
      task({
        dialect: this.dialect,
        read: async (work) => {
          try {
            return (await finishWork(work(), connection, this.#engine, around)).result
          } catch (error) {
            throw error instanceof StepError ? error.outcome : error
          }
        },
      }),
    )
  }

  async #onOwnConnection<T>(
    begin: readonly SentStatement[],
    task: (connection: ServerConnection) => Promise<T>,
  ): Promise<T> {
    const fail = (error: unknown): never => {
      throw this.#engine.buildFailure(error, '')
    }
    const apart = this.#engine.openOwnConnections()
    try {
      const connection = await apart.acquire().catch(fail)
      try {
        await connection.send(begin, LONG_TIMEOUT_MS).catch(fail)
        return await task(connection)
      } finally {
        await settle(connection, [COMMIT])
      }
    } finally {
      await apart.close()
    }
  }

  ping(limit: number): Promise<void> {
    return ping(this.#engine, limit)
  }

  listen(woken: () => void): DatabaseListener | undefined {
    return this.#engine.listen(woken)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await Promise.all([this.#engine.connections.close(), this.#engine.replicas?.close()])
  }

  async #attempt<T>(
    work: () => Work<T>,
    connection: ServerConnection,
    around: RequestContext,
    opens: boolean,
    patient: boolean,
  ): Promise<FinishedWork<T>> {
    try {
      return await finishWork(work(), connection, this.#engine, around)
    } catch (error) {
      const failureKind = error instanceof StepError ? error.failureKind : 'none'
      if (failureKind === 'lost' || failureKind === 'stale' || failureKind === 'silent')
        connection.release(true)
      else if (opens) void settle(connection, [ROLLBACK, ...this.#endPatience(patient)])
      else connection.release(false)
      throw error
    }
  }

  async #tryAgain<T>(
    from: ServerConnections,
    whenLost: number,
    whenConflicting: number,
    attempt: (connection: ServerConnection, tries: number) => Promise<T>,
  ): Promise<T> {
    if (this.#closed) throw new InvariantError('the database is closed')
    let stale = 0
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(await acquire(from, this.#engine), tries)
      } catch (error) {
        if (!(error instanceof StepError)) throw error
        // Every connection of the pool may have prepared statements of the old table.
        if (error.failureKind === 'stale' && stale++ < from.use.limit) continue
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
