// Stores due and failed webhook deliveries in the database.

import { hasTables } from '../../../storage/check-drift.ts'
import { type Database, run, runAll, type Work } from '../../../storage/database.ts'
import type { SqlRow } from '../../../storage/sql/statement.ts'
import { createWebhookStatements, webhookTables } from './webhook-tables.ts'

export interface NewDelivery {
  readonly webhook: string
  readonly message: string
  readonly subject: string
  /** `entry.create`. */
  readonly event: string
  readonly payload: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface DueDelivery extends Omit<NewDelivery, 'subject'> {
  readonly id: number
  readonly attempts: number
}

export interface ListedDelivery {
  readonly id: number
  readonly webhook: string
  readonly event: string
  /** `api::article.article 7`. */
  readonly subject: string
  readonly at: string
  readonly attempts: number
  /** Null after the last try. */
  readonly nextTry: string | null
  readonly reason: string | null
}

interface Deliveries {
  position(webhook: string): Promise<string | undefined>
  /** Does nothing if the webhook has a position. */
  begin(webhook: string, position: string): Promise<void>
  /**
   * Adds deliveries and moves the webhook's position, in one transaction. Returns false without a change if
   * another process has moved the position `from`.
   */
  add(webhook: string, from: string, to: string, deliveries: readonly NewDelivery[]): Promise<boolean>
  /** The first due delivery of each webhook and subject. `now`: epoch milliseconds. */
  due(now: number, most: number): Promise<readonly DueDelivery[]>
  done(id: number): Promise<void>
  /**
   * `due`: the time of the next try in epoch milliseconds; undefined: no further try. Does nothing if another
   * process has recorded a try since the delivery was read.
   */
  failed(
    delivery: Pick<DueDelivery, 'id' | 'attempts'>,
    attempts: number,
    due: number | undefined,
    reason: string,
  ): Promise<void>
}

export function createDeliveries(database: Database): Deliveries {
  const { dialect } = database
  const statements = createWebhookStatements(dialect)
  const big = (value: number) => dialect.encode('biginteger', value)

  return {
    async position(webhook) {
      const [row] = await database.read(() => run(statements.position, [webhook]), { single: true })
      return row === undefined ? undefined : String(row[0])
    },
    async begin(webhook, position) {
      await database.transaction(() => run(statements.begin, [webhook, position]))
    },
    async add(webhook, from, to, deliveries) {
      return database.transaction(function* (): Work<boolean> {
        // Comes first, because it locks the row: a second process waits and then finds another position.
        const moved = yield* run(statements.move, [to, webhook, from])
        if (moved.length === 0) return false
        yield* runAll(
          deliveries.map(({ message, subject, event, payload, at }) => ({
            statement: statements.add,
            values: [webhook, message, subject, event, payload, big(at), big(0)],
          })),
        )
        return true
      })
    },
    async due(now, most) {
      const rows = await database.read(() => run(statements.due, [big(now), big(most)]), { single: true })
      return rows.map(([id, webhook, message, event, payload, attempts, at]) => ({
        id: Number(id),
        webhook: String(webhook),
        message: String(message),
        event: String(event),
        payload: String(payload),
        attempts: Number(attempts),
        at: Number(at),
      }))
    },
    async done(id) {
      await database.transaction(() => run(statements.done, [big(id)]))
    },
    async failed(delivery, attempts, due, reason) {
      const now = [attempts, big(due ?? 0), due === undefined ? 1 : 0, reason.slice(0, 500)]
      const read = [big(delivery.id), delivery.attempts]
      await database.transaction(() => run(statements.failed, [...now, ...read]))
    },
  }
}

const MAX_LISTED = 1_000

export async function listDeliveries(database: Database): Promise<readonly ListedDelivery[]> {
  const { dialect } = database
  return database.read(function* (): Work<readonly ListedDelivery[]> {
    if (!(yield* hasTables(dialect, webhookTables))) return []
    const rows = yield* run(createWebhookStatements(dialect).list, [dialect.encode('biginteger', MAX_LISTED)])
    return rows.map(listed)
  })
}

/** Retries the dead delivery with the id, or all. Returns their number. */
export async function retryDeliveries(
  database: Database,
  id: number | undefined,
  now: number,
): Promise<number> {
  const { dialect } = database
  const due = dialect.encode('biginteger', now)
  return database.transaction(function* (): Work<number> {
    if (!(yield* hasTables(dialect, webhookTables))) return 0
    const { retry, retryAll } = createWebhookStatements(dialect)
    const rows =
      id === undefined
        ? yield* run(retryAll, [due])
        : yield* run(retry, [due, dialect.encode('biginteger', id)])
    return rows.length
  })
}

function listed([id, webhook, event, subject, at, attempts, due, dead, reason]: SqlRow): ListedDelivery {
  return {
    id: Number(id),
    webhook: String(webhook),
    event: String(event),
    subject: String(subject),
    at: new Date(Number(at)).toISOString(),
    attempts: Number(attempts),
    nextTry: Number(dead) === 1 ? null : new Date(Number(due)).toISOString(),
    reason: reason === null || reason === undefined ? null : String(reason),
  }
}
