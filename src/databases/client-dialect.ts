// The dialect of a database that is not open: for descriptions of what would be asked.

import type { DatabaseConfig } from '../config/config.ts'
import type { Dialect } from '../sql/dialect.ts'
import { postgresDialect } from './postgres/postgres-dialect.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'

export function clientDialect({ client }: Pick<DatabaseConfig, 'client'>): Dialect {
  return client === 'postgres' ? postgresDialect : sqliteDialect
}
