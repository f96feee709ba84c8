// Reads version, encoding and role of a PostgreSQL server, without changing it.

import type { DatabaseConfig } from '../../../config/config.ts'
import { invariant } from '../../../lib/errors/invariant.ts'
import { OpenFailure } from '../../database.ts'
import type { SqlRow } from '../../sql/statement.ts'
import { buildConnectionSettings, type ConnectionSettings } from './connection-settings.ts'
import { Connections } from './connections.ts'
import { connectFault, type FaultPlace, findServerFault } from './open-faults.ts'

interface InspectedServer {
  readonly version: string
  readonly schema: string
  readonly schemaExists: boolean
}

const QUESTION =
  "select current_setting('server_version_num'), current_setting('server_encoding'), pg_is_in_recovery(), exists (select 1 from pg_namespace where nspname = $1), current_setting('server_version')"

/** Milliseconds in total. */
const TIMEOUT_MS = 10_000

export async function inspectPostgres(config: DatabaseConfig): Promise<InspectedServer> {
  invariant(config.connection !== undefined, 'checked with the configuration')
  const settings = buildConnectionSettings(config, config.connection, TIMEOUT_MS)
  const connections = new Connections(settings, {})
  try {
    return await inspectServer(connections, settings)
  } finally {
    await connections.close()
  }
}

export async function inspectServer(
  connections: Connections,
  settings: ConnectionSettings,
): Promise<InspectedServer> {
  const place: FaultPlace = { ...settings, path: ['database', 'connection'] }
  const [result] = await readRow(connections, place, [settings.schema])
  const [number, encoding, recovering, exists, version] = result ?? []
  const fault = findServerFault(place, Number(number), String(encoding), recovering === 1)
  if (fault !== undefined) throw new OpenFailure([fault])
  return { version: String(version), schema: settings.schema, schemaExists: exists === 1 }
}

async function readRow(
  connections: Connections,
  place: FaultPlace,
  values: readonly string[],
): Promise<readonly SqlRow[]> {
  try {
    const connection = await connections.acquire()
    try {
      const [rows = []] = await connection.send([{ text: QUESTION, values }])
      return rows
    } finally {
      connection.release(false)
    }
  } catch (error) {
    throw new OpenFailure([connectFault(place, error)])
  }
}
