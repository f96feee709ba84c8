// Locks a database file for one process: a second one would not see the writes of the first. It is a lock of SQLite on
// a separate file next to the database, and ends with the process in any case.

import { getCode } from './file-failure.ts'
import type { LibsqlApi } from './libsql-types.ts'

export interface FileLock {
  release(): void
}

/** Returns undefined if another process, or another CMS in this process, has the lock. */
export function lockFile(libsql: LibsqlApi, file: string): FileLock | undefined {
  const schema = libsql.open(`${file}-lock`)
  try {
    schema.exec('begin exclusive')
  } catch (error) {
    schema.close()
    if (getCode(error).startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
  return {
    release() {
      schema.exec('rollback')
      schema.close()
    },
  }
}
