// Pools the connections to one server, and closes those that do not answer in time. The protocol takes one statement at a
// time.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import mysql, { type FieldPacket, type Pool, type PoolConnection, type ResultSetHeader } from 'mysql2'
import type { PoolUse } from '../../database.ts'
import type { ConnectionWatch } from '../../driver.ts'
import type { SqlRow, SqlValue } from '../../sql/statement.ts'
import { Answers } from '../server/answers.ts'
import type { SentStatement, ServerConnection, ServerConnections } from '../server/server-engine.ts'
import { GRACE_MS, ResponseTimeout, StatementTimeout } from '../server/server-failure.ts'
import { expandLists } from './list-placeholders.ts'
import { BusyPool, DuplicateKey, getFailureKind, isDuplicate, isTimeout } from './mysql-failure.ts'
import type { ConnectionSettings } from './session-settings.ts'

export class Connections implements ServerConnections {
  readonly settings: ConnectionSettings
  readonly #pool: Pool
  readonly #session: readonly SentStatement[]
  readonly #answers: Answers
  readonly #ready = new WeakSet<PoolConnection>()
  #open = 0
  #used = 0
  #waiting = 0

  /** `session`: run once on each connection. */
  constructor(settings: ConnectionSettings, session: readonly SentStatement[], watch: ConnectionWatch) {
    this.settings = settings
    this.#session = session
    this.#answers = new Answers(watch)
    this.#pool = mysql.createPool({
      ...settings.options,
      connectionLimit: settings.max,
      waitForConnections: true,
    })
    this.#pool.on('connection', (connection: PoolConnection) => {
      this.#open += 1
      connection.once('end', () => {
        this.#open -= 1
      })
      // The statements of a connection in use fail as well when it breaks.
      connection.on('error', (error: Error) => this.#answers.lost(error))
    })
  }

  async acquire(): Promise<ServerConnection> {
    const connection = await this.#take().catch((error: unknown) => {
      this.#answers.failed()
      throw error
    })
    this.#used += 1
    const own = this.#wrap(connection)
    if (this.#ready.has(connection)) return own
    try {
      await own.send(this.#session)
      this.#ready.add(connection)
      return own
    } catch (error) {
      own.release(true)
      throw error
    }
  }

  #wrap(connection: PoolConnection): ServerConnection {
    return {
      send: async (statements, timeout = this.settings.timeout) => {
        const sentAt = performance.now()
        const results: (readonly SqlRow[])[] = []
        try {
          for (const statement of statements)
            results.push(await send(connection, statement, timeout + GRACE_MS))
          this.#answers.answered()
          return results
        } catch (error) {
          this.#answers.refused(getFailureKind(error))
          if (isTimeout(error) && performance.now() - sentAt >= timeout)
            throw new StatementTimeout(timeout, error)
          throw isDuplicate(error) ? await findKey(connection, error, timeout) : error
        }
      },
      release: (broken) => {
        this.#used -= 1
        if (broken) connection.destroy()
        else connection.release()
      },
    }
  }

  #take(): Promise<PoolConnection> {
    return new Promise((resolve, reject) => {
      let late = false
      this.#waiting += 1
      const timer = setTimeout(() => {
        late = true
        this.#waiting -= 1
        reject(new BusyPool('no connection of the pool was free in time'))
      }, this.settings.acquireTimeout)
      this.#pool.getConnection((error, connection) => {
        if (late) {
          connection?.release()
          return
        }
        clearTimeout(timer)
        this.#waiting -= 1
        if (error === null) resolve(connection)
        else reject(error)
      })
    })
  }

  /** On the clock of `performance.now()`. */
  get answeredAt(): number {
    return this.#answers.answeredAt
  }

  get exhausted(): boolean {
    return this.#used >= this.settings.max
  }

  get use(): PoolUse {
    const open = Math.max(this.#open, this.#used)
    return { open, idle: open - this.#used, waiting: this.#waiting, limit: this.settings.max }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#pool.end(() => resolve()))
  }
}

type Answer = ResultSetHeader | SqlRow[]

function send(
  connection: PoolConnection,
  statement: SentStatement,
  timeout: number,
): Promise<readonly SqlRow[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      connection.destroy()
      reject(new ResponseTimeout('no response from the database'))
    }, timeout)
    const done = (error: Error | null, answer: unknown, fields: FieldPacket[] | undefined): void => {
      clearTimeout(timer)
      if (error === null) resolve(getRows(statement, answer as Answer, fields))
      else reject(error)
    }
    if (statement.values.length === 0) {
      connection.query(statement.text, done)
      return
    }
    const { text, values } = expandLists(statement.text, statement.values)
    connection.execute(text, values.map(encodeParameter), done)
  })
}

function encodeParameter(value: SqlValue) {
  if (typeof value === 'bigint') return LONGLONG(value)
  return value instanceof Uint8Array ? Buffer.from(value) : value
}

// Read once: the package resolves a module each time.
const { LONGLONG } = mysql.TypedParameter

const TIME = 11

function getRows(
  { answer, values }: SentStatement,
  result: Answer,
  fields: FieldPacket[] | undefined,
): readonly SqlRow[] {
  if (!Array.isArray(result)) {
    if (answer === undefined) return []
    const { affectedRows, insertId } = result
    if (answer === 'inserted') return affectedRows === 0 ? [] : [[insertId]]
    return Array<SqlRow>(affectedRows).fill([values.at(-1) ?? null])
  }
  const times = (fields ?? []).flatMap(({ columnType }, index) => (columnType === TIME ? [index] : []))
  return times.length === 0
    ? result
    : result.map((row) => row.map((value, index) => (times.includes(index) ? padTime(value) : value)))
}

/** Adds the zeros that the protocol leaves out: `12:30:00.5`. */
function padTime(value: SqlValue): SqlValue {
  if (typeof value !== 'string') return value
  const [clock = '', fraction = ''] = value.split('.')
  return `${clock}.${fraction.slice(0, 3).padEnd(3, '0')}`
}

/** `Duplicate entry '…' for key 'name'`, with the table's name before it on MySQL; in any language. */
const KEY = /'(?:[^']*\.)?([^'.]+)'[^']*$/

async function findKey(connection: PoolConnection, error: unknown, timeout: number): Promise<unknown> {
  const name = KEY.exec(error instanceof Error ? error.message : '')?.[1] ?? ''
  if (name === 'PRIMARY') return new DuplicateKey('', ['id'], error)
  const text =
    'select table_name, index_comment from information_schema.statistics where table_schema = database() and index_name = ? limit 1'
  const rows = await send(connection, { text, values: [name] }, timeout)
  const [table, columns] = rows[0] ?? []
  return new DuplicateKey(String(table ?? ''), String(columns ?? '').split(','), error)
}
