// Checks within a time limit whether the server responds, for `/_ready` and during an outage.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import { StepError } from './finish-work.ts'
import { command, type ServerConnections, type ServerEngine } from './server-engine.ts'
import { ResponseTimeout } from './server-failure.ts'
import { acquire } from './transaction-steps.ts'

/** Milliseconds for which an earlier response proves that the server is up. */
const MAX_AGE_MS = 500

const PING = command('select 1')

export async function ping(engine: ServerEngine, limit: number): Promise<void> {
  const { connections } = engine
  if (performance.now() - connections.answeredAt < MAX_AGE_MS) return
  // An exhausted pool says nothing about the server, so a separate connection is used.
  const apart = connections.exhausted ? engine.openOwnConnections() : undefined
  const asked = ask(apart ?? connections, engine, limit)
  try {
    await within(asked, limit)
  } catch (error) {
    throw error instanceof StepError ? error.outcome : error
  } finally {
    void asked.catch(() => {}).then(() => apart?.close())
  }
}

async function ask(connections: ServerConnections, engine: ServerEngine, limit: number): Promise<void> {
  const connection = await acquire(connections, engine)
  try {
    await connection.send([PING], limit)
  } catch (error) {
    connection.release(true)
    throw error
  }
  connection.release(false)
}

function within<T>(task: Promise<T>, limit: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new ResponseTimeout(`no response from the database within ${limit} ms`))
    const timer = setTimeout(late, limit)
    task.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
