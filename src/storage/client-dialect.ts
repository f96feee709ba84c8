// The dialect of a database that is not open: for descriptions of what would be asked.

import type { DatabaseConfig } from '../config/config.ts'
import { postgresDialect } from './drivers/postgres/postgres-dialect.ts'
import { sqliteDialect } from './drivers/sqlite/sqlite-dialect.ts'
import type { Dialect } from './sql/dialect.ts'

export function getClientDialect({ client }: Pick<DatabaseConfig, 'client'>): Dialect {
  return client === 'postgres' ? postgresDialect : sqliteDialect
}
