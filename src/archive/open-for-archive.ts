// A configuration -> its database and its stored files, opened for an export or an import, without serving anything.

import type { Config } from '../config/config.ts'
import type { Database } from '../databases/database.ts'
import { OpenFailure } from '../databases/database.ts'
import { openDatabase } from '../databases/open-database.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'

/** No single statement of an export or import should take longer; in milliseconds. */
const PATIENCE = 60 * 60 * 1000

/** `alongside`: it is only read, and may be in use by a server. */
export async function openForArchive(
  config: Config,
  alongside: boolean,
): Promise<Database | { readonly diagnostics: readonly Diagnostic[] }> {
  try {
    return await openDatabase(config.database, config.directory, { timeout: PATIENCE, alongside })
  } catch (error) {
    if (error instanceof OpenFailure) return { diagnostics: error.diagnostics }
    throw error
  }
}
