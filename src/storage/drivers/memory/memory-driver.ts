// SQLite in the memory of this process, by sql.js.

import type { Driver } from '../../driver.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { MemoryDatabase } from './memory-database.ts'

export const memoryDriver: Driver = {
  dialect: sqliteDialect,
  open: async (_config, _directory, { watch, content }) => MemoryDatabase.open(watch, content),
  inspect: async () => 'in memory: what is written is gone when the server ends',
  findMissing: () => undefined,
  backup: undefined,
  backupAdvice:
    'the database is in memory, and ends with the process that serves it: there is nothing to back up',
}
