// Opens the database and the stored files of a configuration for an export or an import, without serving requests.

import type { Config } from '../../config/config.ts'
import type { Diagnostic } from '../../lib/errors/diagnostic.ts'
import type { Database } from '../database.ts'
import { OpenFailure } from '../database.ts'
import { openDatabase } from '../open-database.ts'

/** The time limit of one statement, in milliseconds. */
const TIMEOUT_MS = 60 * 60 * 1000

/** `alongside`: the database is only read, and a server may be using it. */
export async function openForArchive(
  config: Config,
  alongside: boolean,
): Promise<Database | { readonly diagnostics: readonly Diagnostic[] }> {
  try {
    return await openDatabase(config.database, config.directory, { timeout: TIMEOUT_MS, alongside })
  } catch (error) {
    if (error instanceof OpenFailure) return { diagnostics: error.diagnostics }
    throw error
  }
}
