// The database that a test's CMS keeps its content in: `CMS_TEST_DATABASE` is memory (where nothing is said), sqlite,
// postgres or mysql. The same tests run over each of them.

import type { Cms, CmsOptions } from '../../src/index.ts'
import { mysqlHere, openTestMysql } from './mysql.ts'
import { keepDatabase } from './mysql-copy.ts'
import { openTestSchema, postgresHere } from './postgres.ts'
import { keepSchema } from './postgres-copy.ts'
import { keepFile, makeTestFile } from './sqlite-copy.ts'

const clients = ['memory', 'sqlite', 'postgres', 'mysql'] as const

export type TestClient = (typeof clients)[number]

export interface TestDatabase {
  /** For `createCms`. */
  readonly options: Pick<CmsOptions, 'database'>
  /** Remembers the whole content; what it answers puts it back. */
  keep(cms: Cms): Promise<() => Promise<void>>
  /** When the CMS is closed. */
  drop(): Promise<void>
}

export function testClient(): TestClient {
  const named = process.env['CMS_TEST_DATABASE'] ?? 'memory'
  const client = clients.find((one) => one === named)
  if (client === undefined) throw new Error(`CMS_TEST_DATABASE is ${clients.join(' or ')}, not "${named}"`)
  return client
}

/** One that nobody else uses. */
export async function openTestDatabase(client: TestClient = testClient()): Promise<TestDatabase> {
  switch (client) {
    case 'memory':
      return {
        options: {},
        keep: async (cms) => {
          const before = cms.snapshot()
          return async () => cms.restore(before)
        },
        drop: async () => {},
      }
    case 'sqlite': {
      const { filename, remove } = await makeTestFile()
      return {
        options: { database: { client: 'sqlite', filename } },
        keep: async () => keepFile(filename),
        drop: remove,
      }
    }
    case 'postgres': {
      const here = await postgresHere()
      if (here === undefined) throw new Error('CMS_TEST_DATABASE=postgres needs a PostgreSQL server')
      const { connection, schema, drop } = await openTestSchema(here)
      let kept: Awaited<ReturnType<typeof keepSchema>> | undefined
      return {
        options: { database: { client: 'postgres', connection, schema, pool: { min: 1, max: 4 } } },
        keep: async () => {
          kept = await keepSchema(connection, schema)
          return kept.restore
        },
        drop: async () => {
          await kept?.close()
          await drop()
        },
      }
    }
    case 'mysql': {
      const here = await mysqlHere()
      if (here === undefined) throw new Error('CMS_TEST_DATABASE=mysql needs a MySQL or MariaDB server')
      const { connection, database, drop } = await openTestMysql(here)
      let kept: Awaited<ReturnType<typeof keepDatabase>> | undefined
      return {
        options: { database: { client: 'mysql', connection, pool: { min: 1, max: 4 } } },
        keep: async () => {
          kept = await keepDatabase(connection, database)
          return kept.restore
        },
        drop: async () => {
          await kept?.close()
          await drop()
        },
      }
    }
  }
}
