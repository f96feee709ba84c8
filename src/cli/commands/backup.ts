// Copies the database file while the server runs.

import { basename, dirname, extname, join, resolve } from 'node:path'
import { checkConfig } from '../../app/check-config.ts'
import { BackupFailure } from '../../storage/driver.ts'
import { getBackup } from '../../storage/open-database.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export async function backup({ file, check, command, reporter, io }: Invocation): Promise<number> {
  const { flags } = command
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  if (checked.config === undefined) return exitCodes.failed
  const copy = getBackup(checked.config)
  if (typeof copy === 'string') return reporter.fail(copy)
  const source = copy.file
  const to = flags.to === undefined ? getBeside(source, Date.now()) : resolve(io.cwd, flags.to)
  try {
    const bytes = await copy.copyTo(to)
    reporter.result({ database: source, backup: to, bytes }, `${to}: ${bytes} bytes\n`)
    return exitCodes.ok
  } catch (error) {
    if (!(error instanceof BackupFailure)) throw error
    return reporter.fail(error.message)
  }
}

/** `.data/cms.db` -> `.data/cms-2030-01-31T12-00-00Z.db` */
function getBeside(file: string, now: number): string {
  const extension = extname(file)
  const moment = new Date(now).toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
  return join(dirname(file), `${basename(file, extension)}-${moment}${extension}`)
}
