// Checks that a configured database could be opened, without changing it.

import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config, DatabaseConfig } from '../config/config.ts'
import { OpenFailure } from './database.ts'
import { openDatabase } from './open-database.ts'

/** Resolves with a description. Throws OpenFailure with the diagnostics that a start would report. */
export async function inspectDatabase(config: DatabaseConfig, directory: string): Promise<string> {
  if (config.client === 'memory') return 'in memory: what is written is gone when the server ends'
  if (config.client === 'postgres') {
    const { inspectPostgres } = await import('./drivers/postgres/inspect-server.ts')
    const { version, schemaExists, schema } = await inspectPostgres(config)
    return `PostgreSQL ${version}, schema "${schema}"${schemaExists ? '' : ', which the first start creates'}`
  }
  const file = resolve(directory, config.filename ?? '')
  if (existsSync(file)) {
    await (await openDatabase(config, directory)).close()
    return `SQLite, ${file}`
  }
  assertWritable(dirname(file))
  return `SQLite, ${file}, which the first start creates`
}

/** Returns the database file only if it does not exist yet: opening it would create it. */
export function findMissingFile({
  database: { client, filename },
  directory,
}: Pick<Config, 'database' | 'directory'>): string | undefined {
  const missing = client === 'sqlite' && filename !== undefined && !existsSync(resolve(directory, filename))
  return missing ? filename : undefined
}

/** Folders below the nearest existing one are created at a start. */
function assertWritable(folder: string): void {
  if (!existsSync(folder) && dirname(folder) !== folder) {
    assertWritable(dirname(folder))
    return
  }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new OpenFailure([
      {
        code: 'DBS030',
        severity: 'error',
        path: ['database', 'filename'],
        message: `the database file cannot be used: it cannot be created, since ${folder} is no folder that can be written`,
      },
    ])
  }
}
