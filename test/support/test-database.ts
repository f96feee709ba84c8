// The database that a test's CMS keeps its content in: `CMS_TEST_DATABASE` is memory (where nothing is said), sqlite
// or postgres. The same tests run over each of them.

import type { Cms, CmsOptions } from '../../src/index.ts'
import { openTestSchema, postgresHere } from './postgres.ts'
import { keepSchema } from './postgres-copy.ts'
import { keepFile, makeTestFile } from './sqlite-copy.ts'

export type TestClient = 'memory' | 'sqlite' | 'postgres'

export interface TestDatabase {
  /** For `createCms`. */
  readonly options: Pick<CmsOptions, 'database'>
  /** Remembers the whole content; what it answers puts it back. */
  keep(cms: Cms): Promise<() => Promise<void>>
  /** When the CMS is closed. */
  drop(): Promise<void>
}

export function testClient(): TestClient {
  const client = process.env['CMS_TEST_DATABASE'] ?? 'memory'
  if (client !== 'memory' && client !== 'sqlite' && client !== 'postgres')
    throw new Error(`CMS_TEST_DATABASE is memory, sqlite or postgres, not "${client}"`)
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
  }
}
