// Chooses a replica, in turn, for reads that may be slightly old, but not older than this process's last commit.

import { command, type ServerReplicas } from '../server/server-engine.ts'
import type { Connections } from './connections.ts'
import { getCode } from './postgres-failure.ts'

/** Milliseconds for which a failed replica is not used. */
const FAILURE_PAUSE_MS = 2000

/** In bytes of the log of changes: how far a primary has written it, and a replica has replayed it. */
const POSITION = command(
  "select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end - '0/0'",
)

interface Replica {
  readonly connections: Connections
  restsUntil: number
  /** Which of this process's commits it shows. */
  shown: number
  looking: boolean
}

export class Replicas implements ServerReplicas {
  readonly #primary: Connections
  readonly #all: readonly Replica[]
  #commits = 0
  #turn = 0

  constructor(primary: Connections, all: readonly Connections[]) {
    this.#primary = primary
    this.#all = all.map((connections) => ({ connections, restsUntil: 0, shown: 0, looking: false }))
  }

  next(now: number): Replica | undefined {
    for (let step = 0; step < this.#all.length; step++) {
      this.#turn = (this.#turn + 1) % this.#all.length
      const one = this.#all[this.#turn]
      if (one === undefined || one.restsUntil > now) continue
      if (one.shown === this.#commits) return one
      // Asked before the read and not with it, whose snapshot could be older than the position.
      if (!one.looking) void this.#look(one)
    }
    return undefined
  }

  failed(one: Replica, now: number): void {
    one.restsUntil = now + FAILURE_PAUSE_MS
  }

  wrote(): void {
    this.#commits += 1
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ connections }) => connections.close()))
  }

  async #look(one: Replica): Promise<void> {
    one.looking = true
    const commits = this.#commits
    try {
      const written = await readPosition(this.#primary)
      if ((await readPosition(one.connections)) >= written) one.shown = commits
    } catch (error) {
      // Servers with storage of their own have no such functions: their replicas are used as they are.
      if (UNSUPPORTED.has(getCode(error))) one.shown = commits
      else this.failed(one, Date.now())
    } finally {
      one.looking = false
    }
  }
}

/** Not supported; no such function. */
const UNSUPPORTED: ReadonlySet<string | undefined> = new Set(['0A000', '42883'])

async function readPosition(server: Connections): Promise<number> {
  const connection = await server.acquire()
  try {
    const [rows] = await connection.send([POSITION])
    connection.release(false)
    return Number(rows?.[0]?.[0])
  } catch (error) {
    connection.release(true)
    throw error
  }
}
