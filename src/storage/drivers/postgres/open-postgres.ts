// Opens a database on PostgreSQL, with its schema, for `database:` with `client: postgres`, or returns diagnostics that say
// why not.

import type { DatabaseConfig } from '../../../config/config.ts'
import type { Diagnostic } from '../../../lib/errors/diagnostic.ts'
import { invariant } from '../../../lib/errors/invariant.ts'
import { OpenFailure } from '../../database.ts'
import type { ConnectionWatch } from '../../driver.ts'
import { ServerDatabase } from '../server/server-database.ts'
import { command } from '../server/server-engine.ts'
import { buildConnectionSettings } from './connection-settings.ts'
import { Connections } from './connections.ts'
import { inspectServer } from './inspect-server.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import { getCode } from './postgres-failure.ts'

/** The time limit of a request and its statements, in milliseconds. */
export async function openPostgres(
  config: DatabaseConfig,
  timeout: number,
  watch: ConnectionWatch,
): Promise<ServerDatabase> {
  invariant(config.connection !== undefined, 'checked with the configuration')
  const settings = buildConnectionSettings(config, config.connection, timeout)
  const replicaSettings = config.replicas.map((url) => buildConnectionSettings(config, url, timeout))
  const connections = new Connections(settings, watch)
  try {
    const { schemaExists } = await inspectServer(connections, settings)
    if (!schemaExists) await createSchema(connections, settings.schema)
  } catch (error) {
    await connections.close()
    throw error
  }
  const apart = (): Connections =>
    new Connections({ ...settings, pool: { ...settings.pool, min: 0, max: 1 } }, {})
  // A replica that is down does not prevent a start.
  const replicas = replicaSettings.map((own) => new Connections(own, watch))
  return new ServerDatabase(createPostgresEngine(connections, replicas, apart))
}

/** The error codes if another process created the schema at the same moment. */
const MADE_MEANWHILE: ReadonlySet<string | undefined> = new Set(['23505', '42P06'])

async function createSchema(connections: Connections, schema: string): Promise<void> {
  const connection = await connections.acquire()
  try {
    await connection.send([
      command('begin read write'),
      command(`create schema if not exists "${schema}"`),
      command('commit'),
    ])
    connection.release(false)
  } catch (error) {
    // The transaction is still open, so the connection is closed with it.
    connection.release(true)
    if (MADE_MEANWHILE.has(getCode(error))) return
    const diagnostic: Diagnostic = {
      code: 'DBS023',
      severity: 'error',
      path: ['database', 'schema'],
      message: `the schema "${schema}" does not exist and cannot be created: ${error instanceof Error ? error.message : String(error)}`,
      help: `create it, with tables allowed to this user: create schema "${schema}" authorization <user>`,
    }
    throw new OpenFailure([diagnostic])
  }
}
