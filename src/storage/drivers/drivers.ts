// The drivers by the name of `database.client`.

import type { DatabaseClientName } from '../../config/database-clients.ts'
import type { Driver } from '../driver.ts'
import { memoryDriver } from './memory/memory-driver.ts'
import { postgresDriver } from './postgres/postgres-driver.ts'
import { sqliteDriver } from './sqlite/sqlite-driver.ts'

export const drivers: Readonly<Record<DatabaseClientName, Driver>> = {
  memory: memoryDriver,
  sqlite: sqliteDriver,
  postgres: postgresDriver,
}
