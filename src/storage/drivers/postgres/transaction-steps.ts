// Begins and ends transactions on a connection.

import { createHash } from 'node:crypto'
import type { Connections, PooledConnection } from './connections.ts'
import { StepError } from './finish-work.ts'
import { buildFailure, createUnavailable, getFailureKind } from './postgres-failure.ts'
import type { SentBatch } from './statement-batch.ts'

export const BEGIN_READ = command('begin isolation level repeatable read read only')
export const BEGIN_WRITE = command('begin isolation level read committed read write')
export const COMMIT = command('commit')
export const ROLLBACK = command('rollback')

export function command(text: string): SentBatch {
  return { text, values: [] }
}

export async function acquire(from: Connections): Promise<PooledConnection> {
  try {
    return await from.acquire()
  } catch (error) {
    throw new StepError(getFailureKind(error), buildFailure(error, ''))
  }
}

/** Never tried again: if the connection breaks now, the server may have committed already. */
export async function commit(connection: PooledConnection): Promise<void> {
  try {
    await connection.send([COMMIT])
  } catch (error) {
    connection.release(true)
    const failureKind = getFailureKind(error)
    if (failureKind === 'conflict') throw new StepError(failureKind, buildFailure(error, 'commit'))
    throw new StepError('none', createUnavailable('It is not known whether the change was made', error))
  }
}

export async function settle(connection: PooledConnection, end: SentBatch): Promise<void> {
  try {
    await connection.send([end])
    connection.release(false)
  } catch {
    connection.release(true)
  }
}

export function buildAdvisoryLock(key: number, schema: string): SentBatch {
  const hash = createHash('sha256').update(schema).digest().readInt32BE(0)
  return command(`select pg_advisory_xact_lock(${key}, ${hash})`)
}
