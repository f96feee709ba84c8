// Empty databases of every kind that there is here, as settings of a configuration and open; gone after the test.

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DatabaseConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { databaseConfig } from '../contract/database/database-config.ts'
import { openServerPlace, type ServerClient, serversHere } from '../support/servers.ts'
import { newFolder } from './in-file.ts'

export type Client = 'memory' | 'sqlite' | ServerClient

export const clients: readonly Client[] = ['memory', 'sqlite', ...(await serversHere())]

export const lastingClients = clients.filter((client) => client !== 'memory')

/** Settings of a database that is there for this test only. */
export async function newDatabase(client: Client): Promise<DatabaseConfig> {
  if (client === 'sqlite') return { ...databaseConfig('sqlite'), filename: join(newFolder(), 'cms.db') }
  if (client === 'memory') return databaseConfig('memory')
  const { database, drop } = await openServerPlace(client)
  onTestFinished(drop)
  return { ...databaseConfig(client), ...database }
}

export async function opened(config: DatabaseConfig): Promise<Database> {
  const database = await openDatabase(config, '.')
  onTestFinished(() => database.close())
  return database
}

/** The same as a section of a file. */
export async function databaseSection(client: Client): Promise<string> {
  const { filename, connection, schema } = await newDatabase(client)
  const settings = { connection, schema, filename }
  return `database: ${JSON.stringify({ client, ...settings })}\n`
}
