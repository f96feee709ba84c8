// `database:` of a configuration, as normalized, for tests.

import type { DatabaseConfig } from '../../../src/config/config.ts'

export function databaseConfig(client: DatabaseConfig['client']): DatabaseConfig {
  return {
    client,
    filename: undefined,
    durability: 'full',
    connection: undefined,
    schema: undefined,
    pool: { min: 0, max: 10, acquireTimeout: 5000 },
    statementTimeout: 10_000,
    pooler: false,
    replicas: [],
    migrations: { destructive: 'refuse' },
  }
}
