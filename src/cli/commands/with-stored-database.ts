// Opens the database of the file beside a server that may be using it.

import { checkConfig } from '../../app/check-config.ts'
import type { Config } from '../../config/config.ts'
import { databaseClients } from '../../config/database-clients.ts'
import type { Model } from '../../model/model.ts'
import { type Database, OpenFailure } from '../../storage/database.ts'
import { findMissingFile, openDatabase } from '../../storage/open-database.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

/** The task may return its own exit code. */
export async function withStoredDatabase(
  { file, check, reporter }: Invocation,
  what: string,
  task: (database: Database, model: Model) => Promise<number | undefined>,
): Promise<number> {
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  const { config, model } = checked
  if (config === undefined || model === undefined) return exitCodes.failed
  const fault = findUnreadable(config, what)
  if (fault !== undefined) return reporter.fail(fault)
  try {
    const database = await openDatabase(config.database, config.directory, { alongside: true })
    try {
      return (await task(database, model)) ?? exitCodes.ok
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!(error instanceof OpenFailure)) throw error
    reporter.report(checked.source, error.diagnostics)
    return exitCodes.failed
  }
}

export function findUnreadable(config: Config, what: string): string | undefined {
  if (!databaseClients[config.database.client].keepsContent)
    return `the database is in memory: only the serving process knows its ${what}`
  return findMissingFile(config) === undefined ? undefined : 'the database file does not exist yet'
}
