// Opens a database on MySQL or MariaDB, or returns diagnostics that say why not.

import type { DatabaseConfig } from '../../../config/config.ts'
import { invariant } from '../../../lib/errors/invariant.ts'
import { OpenFailure } from '../../database.ts'
import type { ConnectionWatch } from '../../driver.ts'
import { ServerDatabase } from '../server/server-database.ts'
import { command } from '../server/server-engine.ts'
import { Connections } from './connections.ts'
import { createMysqlEngine } from './mysql-engine.ts'
import { connectFault, findServerFault, type InspectedServer, parseVersion } from './server-faults.ts'
import { buildConnectionSettings, buildSessionSettings, type ConnectionSettings } from './session-settings.ts'

/** `timeout`: the time limit of a request and its statements, in milliseconds. */
export async function openMysql(
  config: DatabaseConfig,
  timeout: number,
  watch: ConnectionWatch,
): Promise<ServerDatabase> {
  invariant(config.connection !== undefined, 'checked with the configuration')
  const settings = buildConnectionSettings(config, config.connection, timeout)
  const { product } = await inspectServer(settings)
  const session = buildSessionSettings(product, timeout)
  const connections = new Connections(settings, session, watch)
  const apart = (): Connections => new Connections({ ...settings, max: 1 }, session, {})
  return new ServerDatabase(createMysqlEngine(product, connections, apart))
}

/** Milliseconds in total. */
const INSPECTION_TIMEOUT_MS = 10_000

export function inspectMysql(config: DatabaseConfig): Promise<InspectedServer> {
  invariant(config.connection !== undefined, 'checked with the configuration')
  return inspectServer(buildConnectionSettings(config, config.connection, INSPECTION_TIMEOUT_MS))
}

async function inspectServer(settings: ConnectionSettings): Promise<InspectedServer> {
  const connections = new Connections({ ...settings, max: 1 }, [], {})
  try {
    const connection = await connections.acquire()
    const [rows] = await connection.send([command('select version(), @@read_only')])
    connection.release(false)
    const [version, readOnly] = rows?.[0] ?? []
    const server = parseVersion(String(version))
    const fault = findServerFault(settings, server, Number(readOnly) === 1)
    if (fault !== undefined) throw new OpenFailure([fault])
    return server
  } catch (error) {
    throw error instanceof OpenFailure ? error : new OpenFailure([connectFault(settings, error)])
  } finally {
    await connections.close()
  }
}
