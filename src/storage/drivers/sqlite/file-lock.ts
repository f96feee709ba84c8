// Locks a database file for one process, by a SQLite lock on a separate file that ends with the process.

import { getCode } from './file-failure.ts'
import type { LibsqlApi } from './libsql-types.ts'

export interface FileLock {
  release(): void
}

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
