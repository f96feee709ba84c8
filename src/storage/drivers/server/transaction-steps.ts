// Begins and ends transactions on a connection.

import { StepError } from './finish-work.ts'
import {
  command,
  type SentStatement,
  type ServerConnection,
  type ServerConnections,
  type ServerEngine,
} from './server-engine.ts'
import { createUnavailable } from './server-failure.ts'

export const COMMIT = command('commit')
export const ROLLBACK = command('rollback')

type Failures = Pick<ServerEngine, 'getFailureKind' | 'buildFailure'>

export async function acquire(from: ServerConnections, engine: Failures): Promise<ServerConnection> {
  try {
    return await from.acquire()
  } catch (error) {
    throw new StepError(engine.getFailureKind(error), engine.buildFailure(error, ''))
  }
}

/** Never tried again: if the connection breaks now, the server may have committed already. */
export async function commit(connection: ServerConnection, engine: Failures): Promise<void> {
  try {
    await connection.send([COMMIT])
  } catch (error) {
    connection.release(true)
    const failureKind = engine.getFailureKind(error)
    if (failureKind === 'conflict') throw new StepError(failureKind, engine.buildFailure(error, COMMIT.text))
    throw new StepError('none', createUnavailable('It is not known whether the change was made', error))
  }
}

export async function settle(connection: ServerConnection, end: readonly SentStatement[]): Promise<void> {
  try {
    if (end.length > 0) await connection.send(end)
    connection.release(false)
  } catch {
    connection.release(true)
  }
}
