// Copies the database file while the server runs.

import { basename, dirname, extname, join, resolve } from 'node:path'
import { checkConfig } from '../../app/check-config.ts'
import { BackupFailure, backupFile } from '../../storage/drivers/sqlite/backup-file.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export async function backup({ file, check, command, reporter, io }: Invocation): Promise<number> {
  const { flags } = command
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  if (checked.config === undefined) return exitCodes.failed
  const { database, directory } = checked.config
  if (database.client !== 'sqlite' || database.filename === undefined)
    return reporter.fail(ELSEWHERE[database.client])
  const source = resolve(directory, database.filename)
  const to = flags.to === undefined ? getBeside(source, Date.now()) : resolve(io.cwd, flags.to)
  try {
    const bytes = await backupFile(source, to)
    reporter.result({ database: source, backup: to, bytes }, `${to}: ${bytes} bytes\n`)
    return exitCodes.ok
  } catch (error) {
    if (!(error instanceof BackupFailure)) throw error
    return reporter.fail(error.message)
  }
}

const ELSEWHERE = {
  memory: 'the database is in memory, and ends with the process that serves it: there is nothing to back up',
  sqlite: 'the configuration names no database file',
  postgres: 'a PostgreSQL database is backed up with its own tools, pg_dump for example',
} as const

/** `.data/cms.db` -> `.data/cms-2030-01-31T12-00-00Z.db` */
function getBeside(file: string, now: number): string {
  const extension = extname(file)
  const moment = new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  return join(dirname(file), `${basename(file, extension)}-${moment}${extension}`)
}
