// The connections to one server: lent to one piece of work at a time, made anew when they broke. What is sent on one
// is answered in one round trip, or the connection is given up.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import pg, { type PoolClient } from 'pg'
import type { SqlRow } from '../../sql/statement.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { codeOf, StatementTimeout, troubleOf, Unanswered } from './postgres-failure.ts'
import { PreparedNames } from './prepared-names.ts'
import { type Sent, StatementBatch } from './statement-batch.ts'

export interface PooledConnection {
  /**
   * One round trip, of so many milliseconds at most. Rejects with what the server said; nothing behind the failed
   * statement was run then.
   */
  send(statements: readonly Sent[], patience?: number): Promise<readonly (readonly SqlRow[])[]>
  /** Gives it back; `broken` ones are not lent again. */
  release(broken: boolean): void
}

/** What the application wants to hear of connections. */
export interface ConnectionWatch {
  /** A connection that nobody used broke: most likely the server is gone. */
  lost?(reason: string): void
  /** A connection that was needed broke, did not answer, or could not be made. */
  unanswered?(): void
}

const QUERY_CANCELED = '57014'

/** How much longer than its own limit the server may take: past it, nobody is there. */
const GRACE = 5000

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
    // A connection that breaks while it is lent says so by its statements, too.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  async lend(): Promise<PooledConnection> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      this.#failed()
      throw error
    })
    const prepared = this.settings.pooler ? undefined : this.#preparedOf(client)
    return {
      send: async (statements, patience = this.settings.timeout) => {
        const sentAt = performance.now()
        try {
          const answers = await send(client, statements, prepared, patience + GRACE)
          this.#answeredAt = performance.now()
          return answers
        } catch (error) {
          const trouble = troubleOf(error)
          if (trouble === 'lost' || trouble === 'silent') this.#failed()
          else this.#answeredAt = performance.now()
          // The same code says that an operator cancelled it, which may happen at any time.
          const late = codeOf(error) === QUERY_CANCELED && performance.now() - sentAt >= patience
          throw late ? new StatementTimeout(patience, error) : error
        }
      },
      release: (broken) => client.release(broken),
    }
  }

  /** When the server last answered anything, on the clock of `performance.now()`. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  /** Whether whoever needs a connection has to wait for another's. */
  get exhausted(): boolean {
    return this.#pool.idleCount === 0 && this.#pool.totalCount >= this.settings.max
  }

  /** Connections at this moment. */
  get count(): number {
    return this.#pool.totalCount
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
  statements: readonly Sent[],
  prepared: PreparedNames | undefined,
  patience: number,
): Promise<readonly (readonly SqlRow[])[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Unanswered('no answer from the database')), patience)
    const batch = new StatementBatch(statements, prepared, (error, answers) => {
      clearTimeout(timer)
      if (error === undefined) resolve(answers)
      else reject(error)
    })
    client.query(batch)
  })
}
