// Loads an archive into a database, whose configuration it must fit.

import { resolve } from 'node:path'
import { checkConfig } from '../../app/check-config.ts'
import { openStoredFiles } from '../../app/open-stored-files.ts'
import { databaseClients } from '../../config/database-clients.ts'
import type { Diagnostic } from '../../lib/errors/diagnostic.ts'
import { ArchiveFault } from '../../storage/archive/archive-format.ts'
import { importArchive } from '../../storage/archive/import-archive.ts'
import { openForArchive } from '../../storage/archive/open-for-archive.ts'
import { LoadRefusal } from '../../storage/load-tables.ts'
import { applyMigration } from '../../storage/migrate.ts'
import { createMigrationOptions } from '../../storage/migration/migration-options.ts'
import { buildLayout } from '../../storage/sql/build-layout.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export async function importFrom(invocation: Invocation): Promise<number> {
  const { file, check, command, reporter, io } = invocation
  const { subject: archive = '', flags } = command
  if (flags.strapi !== undefined) return (await import('./import-strapi.ts')).importStrapi(invocation)
  const checked = await checkConfig({ file }, check)
  const report = (diagnostics: readonly Diagnostic[]): void => reporter.report(checked.source, diagnostics)
  report(checked.diagnostics)
  const { config, model } = checked
  if (config === undefined || model === undefined) return exitCodes.failed
  if (!databaseClients[config.database.client].keepsContent)
    return reporter.fail('the database is in memory: what is imported would be gone with this command')
  const database = await openForArchive(config, false)
  if ('diagnostics' in database) {
    report(database.diagnostics)
    return exitCodes.failed
  }
  try {
    const files = await openStoredFiles(config, checked.own.env)
    const { replace } = flags
    const [done, fitted] = await database.exclusively(async () => [
      await importArchive({ archive: resolve(io.cwd, archive), database, files, replace }),
      await applyMigration(database, buildLayout(model), createMigrationOptions(config, model)),
    ])
    report(fitted.diagnostics)
    if (!fitted.ok)
      return reporter.fail(
        'the content is in the database, but the configuration does not fit it: correct it, then start it',
      )
    const rows = Object.values(done.rows).reduce((sum, count) => sum + count, 0)
    const tables = Object.keys(done.rows).length
    reporter.result(
      { rows: done.rows, files: done.files },
      `${archive}: ${rows} rows of ${tables} tables, ${done.files} files\n`,
    )
    return exitCodes.ok
  } catch (error) {
    if (error instanceof ArchiveFault) return reporter.fail(`${archive} cannot be imported: ${error.message}`)
    if (error instanceof LoadRefusal)
      return reporter.fail(
        error.full ? `${error.message}; --replace drops all that cms-run made in it first` : error.message,
      )
    if (isSystemError(error)) return reporter.fail(`${archive} cannot be read: ${error.message}`)
    throw error
  } finally {
    await database.close()
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
