// `database:` of the configuration -> an open Database. One folder for each kind of database.

import type { DatabaseConfig } from '../config/config.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import type { Database } from './database.ts'
import { compileSqlJs } from './sqlite/load-sql-js.ts'
import { type EngineWatch, MemoryDatabase } from './sqlite/memory-database.ts'

/** The database cannot be opened as the configuration has it. */
export class OpenFailure extends Error {
  override name = 'OpenFailure'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'))
    this.diagnostics = diagnostics
  }
}

/**
 * Begins what opening a database in memory will wait for, while the configuration is still being read. A failure is
 * met again, and told, by `openDatabase`.
 */
export function warmDatabase(): void {
  compileSqlJs().catch(() => {})
}

/** `directory` is where the configuration's relative file names start. */
export async function openDatabase(
  config: DatabaseConfig,
  _directory: string,
  watch: EngineWatch = {},
): Promise<Database> {
  if (config.client === 'memory') return MemoryDatabase.open(watch)
  throw new OpenFailure([
    {
      code: 'DBS001',
      severity: 'error',
      path: ['database', 'client'],
      message: `the database "${config.client}" is not available in this version`,
      help: 'use `client: memory`',
    },
  ])
}
