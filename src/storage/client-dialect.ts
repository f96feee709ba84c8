// Returns the SQL dialect of a database that is not open, to describe its statements.

import type { DatabaseConfig } from '../config/config.ts'
import { postgresDialect } from './drivers/postgres/postgres-dialect.ts'
import { sqliteDialect } from './drivers/sqlite/sqlite-dialect.ts'
import type { Dialect } from './sql/dialect.ts'

export function getClientDialect({ client }: Pick<DatabaseConfig, 'client'>): Dialect {
  return client === 'postgres' ? postgresDialect : sqliteDialect
}
