// Lists the API tokens of a configuration, with their last use from the database, but never the tokens themselves.

import { readTokenUses } from '../access/stored/token-uses.ts'
import type { ApiTokenConfig } from '../config/auth-config.ts'
import type { Config } from '../config/config.ts'
import { databaseClients } from '../config/database-clients.ts'
import { findMissingFile, openDatabase } from '../storage/open-database.ts'

export interface ListedToken {
  readonly name: string
  readonly type: ApiTokenConfig['type']
  readonly description?: string
  readonly expiresAt: string | null
  readonly expired: boolean
  /** To the minute. Null: never. Undefined: the database is in memory, so only the serving process knows. */
  readonly lastUsedAt: string | null | undefined
}

/** Throws OpenFailure. */
export async function listTokens(config: Config, now: number): Promise<readonly ListedToken[]> {
  const uses = await readUses(config)
  return config.auth.apiTokens.map(({ name, type, description, expiresAt = null }) => {
    const used = uses?.get(name)
    return {
      name,
      type,
      ...(description === undefined ? {} : { description }),
      expiresAt,
      expired: expiresAt !== null && !(now < Date.parse(expiresAt)),
      lastUsedAt: uses === undefined ? undefined : used === undefined ? null : new Date(used).toISOString(),
    }
  })
}

async function readUses(config: Config): Promise<ReadonlyMap<string, number> | undefined> {
  if (!databaseClients[config.database.client].keepsContent) return undefined
  // Reading must not create the database file.
  if (findMissingFile(config) !== undefined) return new Map()
  const database = await openDatabase(config.database, config.directory, { alongside: true })
  try {
    return await readTokenUses(database)
  } finally {
    await database.close()
  }
}
