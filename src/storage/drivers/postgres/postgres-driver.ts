// PostgreSQL, by pg, which is loaded with the first use.

import type { Driver } from '../../driver.ts'
import { postgresDialect } from './postgres-dialect.ts'

export const postgresDriver: Driver = {
  dialect: postgresDialect,
  async open(config, _directory, { timeout, watch }) {
    const { openPostgres } = await import('./open-postgres.ts')
    return openPostgres(config, timeout, watch)
  },
  async inspect(config) {
    const { inspectPostgres } = await import('./inspect-server.ts')
    const { version, schemaExists, schema } = await inspectPostgres(config)
    return `PostgreSQL ${version}, schema "${schema}"${schemaExists ? '' : ', which the first start creates'}`
  },
  findMissing: () => undefined,
  backup: undefined,
  backupAdvice: 'a PostgreSQL database is backed up with its own tools, pg_dump for example',
}
