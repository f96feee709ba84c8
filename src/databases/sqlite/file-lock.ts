// One process a file: a second one would not see what the first writes. The lock is SQLite's own, on a file beside
// the database, and goes with the process however it ends.

import { codeOf } from './file-failure.ts'
import type { LibsqlApi } from './libsql-types.ts'

export interface FileLock {
  release(): void
}

/** Undefined where another process, or another CMS in this one, has it. */
export function lockFile(libsql: LibsqlApi, file: string): FileLock | undefined {
  const holder = libsql.open(`${file}-lock`)
  try {
    holder.exec('begin exclusive')
  } catch (error) {
    holder.close()
    if (codeOf(error).startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
  return {
    release() {
      holder.exec('rollback')
      holder.close()
    },
  }
}
