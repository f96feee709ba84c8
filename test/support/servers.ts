// The database servers that answer here, and an empty place for tables on one of them.

import { mysqlHere, openTestMysql } from './mysql.ts'
import { openTestSchema, postgresHere } from './postgres.ts'

export type ServerClient = 'postgres' | 'mysql'

export async function serversHere(): Promise<readonly ServerClient[]> {
  const [postgres, mysql] = [await postgresHere(), await mysqlHere()]
  return [
    ...(postgres === undefined ? [] : (['postgres'] as const)),
    ...(mysql === undefined ? [] : (['mysql'] as const)),
  ]
}

export interface ServerPlace {
  /** As a section of a configuration. */
  readonly database: {
    readonly client: ServerClient
    readonly connection: string
    readonly schema?: string
  }
  drop(): Promise<void>
}

export async function openServerPlace(client: ServerClient): Promise<ServerPlace> {
  if (client === 'mysql') {
    const { connection, drop } = await openTestMysql((await mysqlHere()) ?? '')
    return { database: { client, connection }, drop }
  }
  const { connection, schema, drop } = await openTestSchema((await postgresHere()) ?? '')
  return { database: { client, connection, schema }, drop }
}
