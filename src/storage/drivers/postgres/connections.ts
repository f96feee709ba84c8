// Pools the connections to one server, and closes those that do not answer in time.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import pg, { type PoolClient } from 'pg'
import type { PoolUse } from '../../database.ts'
import type { ConnectionWatch } from '../../driver.ts'
import type { SqlRow, SqlValue } from '../../sql/statement.ts'
import { Answers } from '../server/answers.ts'
import type { SentStatement, ServerConnection, ServerConnections } from '../server/server-engine.ts'
import { GRACE_MS, ResponseTimeout, StatementTimeout } from '../server/server-failure.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { getCode, getFailureKind } from './postgres-failure.ts'
import { PreparedNames } from './prepared-names.ts'
import { StatementBatch } from './statement-batch.ts'

const QUERY_CANCELED = '57014'

export class Connections implements ServerConnections {
  readonly settings: ConnectionSettings
  readonly #pool: pg.Pool
  readonly #prepared = new WeakMap<PoolClient, PreparedNames>()
  readonly #answers: Answers

  constructor(settings: ConnectionSettings, watch: ConnectionWatch) {
    this.settings = settings
    this.#answers = new Answers(watch)
    this.#pool = new pg.Pool(settings.pool)
    this.#pool.on('error', (error) => this.#answers.lost(error))
    // The statements of a connection in use fail as well when it breaks, so the event is ignored.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  /** Statements that are sent together take one round trip. */
  async acquire(): Promise<ServerConnection> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      this.#answers.failed()
      throw error
    })
    const prepared = this.settings.pooler ? undefined : this.#preparedOf(client)
    return {
      send: async (statements, patience = this.settings.timeout) => {
        const sentAt = performance.now()
        try {
          const results = await send(client, statements, prepared, patience + GRACE_MS)
          this.#answers.answered()
          return results
        } catch (error) {
          this.#answers.refused(getFailureKind(error))
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
    return this.#answers.answeredAt
  }

  get exhausted(): boolean {
    return this.#pool.idleCount === 0 && this.#pool.totalCount >= this.settings.max
  }

  get use(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount, limit: this.settings.max }
  }

  close(): Promise<void> {
    return this.#pool.end()
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
  statements: readonly SentStatement[],
  prepared: PreparedNames | undefined,
  patience: number,
): Promise<readonly (readonly SqlRow[])[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ResponseTimeout('no response from the database')), patience)
    const sent = statements.map(({ text, values }) => ({ text, values: values.map(wireText) }))
    const batch = new StatementBatch(sent, prepared, (error, results) => {
      clearTimeout(timer)
      if (error === undefined) resolve(results)
      else reject(error)
    })
    client.query(batch)
  })
}

function wireText(value: SqlValue): string | null {
  if (value === null) return null
  if (typeof value === 'object') return `\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}
