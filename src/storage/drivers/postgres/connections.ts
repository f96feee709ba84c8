// Pools the connections to one server, and closes those that do not answer in time.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import pg, { type PoolClient } from 'pg'
import type { PoolUse } from '../../database.ts'
import type { ConnectionWatch } from '../../driver.ts'
import type { SqlRow } from '../../sql/statement.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { getCode, getFailureKind, ResponseTimeout, StatementTimeout } from './postgres-failure.ts'
import { PreparedNames } from './prepared-names.ts'
import { type SentBatch, StatementBatch } from './statement-batch.ts'

export interface PooledConnection {
  /**
   * One round trip, of at most `timeouts` milliseconds. Rejects with the server's error; then the statements after the
   * failed one were not run.
   */
  send(statements: readonly SentBatch[], patience?: number): Promise<readonly (readonly SqlRow[])[]>
  release(broken: boolean): void
}

const QUERY_CANCELED = '57014'

/** Milliseconds that the server may take beyond its own limit; after that, the connection counts as dead. */
const GRACE_MS = 5000

export class Connections {
  readonly settings: ConnectionSettings
  readonly #pool: pg.Pool
  readonly #prepared = new WeakMap<PoolClient, PreparedNames>()

  readonly #watch: ConnectionWatch
  #answeredAt = Number.NEGATIVE_INFINITY

  constructor(settings: ConnectionSettings, watch: ConnectionWatch) {
    this.settings = settings
    this.#watch = watch
    this.#pool = new pg.Pool(settings.pool)
    this.#pool.on('error', (error) => {
      this.#answeredAt = Number.NEGATIVE_INFINITY
      watch.lost?.(error.message)
    })
    // The statements of a connection in use fail as well when it breaks, so the event is ignored.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  async acquire(): Promise<PooledConnection> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      this.#failed()
      throw error
    })
    const prepared = this.settings.pooler ? undefined : this.#preparedOf(client)
    return {
      send: async (statements, patience = this.settings.timeout) => {
        const sentAt = performance.now()
        try {
          const results = await send(client, statements, prepared, patience + GRACE_MS)
          this.#answeredAt = performance.now()
          return results
        } catch (error) {
          const failureKind = getFailureKind(error)
          if (failureKind === 'lost' || failureKind === 'silent') this.#failed()
          else this.#answeredAt = performance.now()
          // An operator who cancels the statement causes the same code, but at any time.
          const late = getCode(error) === QUERY_CANCELED && performance.now() - sentAt >= patience
          throw late ? new StatementTimeout(patience, error) : error
        }
      },
      release: (broken) => client.release(broken),
    }
  }

  /** On the clock of `performance.now()`. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  get exhausted(): boolean {
    return this.#pool.idleCount === 0 && this.#pool.totalCount >= this.settings.max
  }

  get count(): number {
    return this.#pool.totalCount
  }

  get use(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount, limit: this.settings.max }
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  #failed(): void {
    this.#answeredAt = Number.NEGATIVE_INFINITY
    this.#watch.unanswered?.()
  }

  #preparedOf(client: PoolClient): PreparedNames {
    let prepared = this.#prepared.get(client)
    if (prepared === undefined) {
      prepared = new PreparedNames()
      this.#prepared.set(client, prepared)
    }
    return prepared
  }
}

function send(
  client: PoolClient,
  statements: readonly SentBatch[],
  prepared: PreparedNames | undefined,
  patience: number,
): Promise<readonly (readonly SqlRow[])[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ResponseTimeout('no response from the database')), patience)
    const batch = new StatementBatch(statements, prepared, (error, results) => {
      clearTimeout(timer)
      if (error === undefined) resolve(results)
      else reject(error)
    })
    client.query(batch)
  })
}
