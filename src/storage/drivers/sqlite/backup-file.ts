// Copies one state of a database file, even while a server writes to it.

import { existsSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { BackupFailure } from '../../driver.ts'
import { getCode } from './file-failure.ts'
import { loadLibsql } from './open-file.ts'

/** In bytes. */
export async function backupFile(file: string, to: string): Promise<number> {
  if (!existsSync(file)) throw new BackupFailure(`the database ${file} does not exist yet`)
  if (existsSync(to)) throw new BackupFailure(`${to} exists already`)
  const partial = `${to}.partial`
  await rm(partial, { force: true })
  try {
    await copy(file, partial)
    await forceToDisk(partial)
    await rename(partial, to)
  } catch (error) {
    await rm(partial, { force: true })
    if (error instanceof BackupFailure) throw error
    throw new BackupFailure(getReason(error, file, to), { cause: error })
  }
  return statSync(to).size
}

async function copy(file: string, partial: string): Promise<void> {
  const libsql = await loadLibsql()
  const source = libsql.open(file)
  try {
    source.exec('pragma busy_timeout = 5000')
    source.prepare('vacuum into ?').run([partial])
  } finally {
    source.close()
  }
  const made = libsql.open(partial)
  try {
    const [row] = made.prepare('pragma integrity_check(1)').raw().all([])
    if (row?.[0] !== 'ok') throw new BackupFailure(`the database ${file} is damaged: ${String(row?.[0])}`)
  } finally {
    made.close()
  }
}

async function forceToDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function getReason(error: unknown, file: string, to: string): string {
  const code = getCode(error)
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) return `${file} is not a database, or is damaged`
  if (code.startsWith('SQLITE_FULL')) return `there is no space left for ${to}`
  if (code.startsWith('SQLITE_CANTOPEN')) return `${to} cannot be written`
  return `${to} cannot be made: ${error instanceof Error ? error.message : String(error)}`
}
