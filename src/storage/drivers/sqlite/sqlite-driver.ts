// SQLite in a file, by libsql, which is loaded with the first use.

import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { OpenFailure } from '../../database.ts'
import type { Driver } from '../../driver.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

const TIMEOUT_MS = 30_000

export const sqliteDriver: Driver = {
  dialect: sqliteDialect,
  async open(config, directory, options) {
    const { openFile } = await import('./open-file.ts')
    return openFile(config, directory, options)
  },
  async inspect(config, directory) {
    const file = resolve(directory, config.filename ?? '')
    if (!existsSync(file)) {
      assertWritable(dirname(file))
      return `SQLite, ${file}, which the first start creates`
    }
    const { openFile } = await import('./open-file.ts')
    await (await openFile(config, directory, { watch: {}, alongside: false, timeout: TIMEOUT_MS })).close()
    return `SQLite, ${file}`
  },
  findMissing({ filename }, directory) {
    return filename !== undefined && !existsSync(resolve(directory, filename)) ? filename : undefined
  },
  backup({ filename }, directory) {
    if (filename === undefined) return undefined
    const file = resolve(directory, filename)
    return {
      file,
      async copyTo(target) {
        const { backupFile } = await import('./backup-file.ts')
        return backupFile(file, target)
      },
    }
  },
  backupAdvice: 'the configuration names no database file',
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
