// Writes the content and files of a database to one archive.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkConfig } from '../../app/check-config.ts'
import { openStoredFiles } from '../../app/open-stored-files.ts'
import { databaseClients } from '../../config/database-clients.ts'
import { exportArchive } from '../../storage/archive/export-archive.ts'
import { openForArchive } from '../../storage/archive/open-for-archive.ts'
import { OpenFailure } from '../../storage/database.ts'
import { findMissingFile } from '../../storage/open-database.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'
import { version } from './version.ts'

export async function exportTo({ file, check, command, reporter, io }: Invocation): Promise<number> {
  const { flags } = command
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  const { config } = checked
  if (config === undefined) return exitCodes.failed
  if (!databaseClients[config.database.client].keepsContent)
    return reporter.fail(
      'the database is in memory, and ends with the process that serves it: there is nothing to export',
    )
  const to = resolve(io.cwd, flags.to ?? '')
  if (existsSync(to)) return reporter.fail(`${flags.to} exists already`)
  const missing = findMissingFile(config)
  if (missing !== undefined) return reporter.fail(`the database ${missing} does not exist yet`)
  const database = await openForArchive(config, true)
  if ('diagnostics' in database) {
    reporter.report(checked.source, database.diagnostics)
    return exitCodes.failed
  }
  try {
    const files = await openStoredFiles(config, checked.own.env)
    const done = await exportArchive({ database, files, to, version: version(), now: new Date() })
    if (done === undefined) return reporter.fail('the database holds nothing that cms-run made')
    for (const key of done.missingFiles) reporter.note(`the file ${key} is not there; its entry is exported`)
    const rows = Object.values(done.rows).reduce((sum, count) => sum + count, 0)
    const tables = Object.keys(done.rows).length
    reporter.result(
      { archive: flags.to, ...done },
      `${flags.to}: ${rows} rows of ${tables} tables, ${done.files} files\n`,
    )
    return exitCodes.ok
  } catch (error) {
    if (error instanceof OpenFailure) {
      reporter.report(checked.source, error.diagnostics)
      return exitCodes.failed
    }
    if (isSystemError(error)) return reporter.fail(`${flags.to} cannot be written: ${error.message}`)
    throw error
  } finally {
    await database.close()
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
