// Indexes of paths inside JSON: an edit of the file makes and drops them, and the database uses them.

import { describe, expect, test, vi } from 'vitest'
import type { DatabaseConfig } from '../../src/config/config.ts'
import { createCms } from '../../src/index.ts'
import { run } from '../../src/storage/database.ts'
import { statement } from '../../src/storage/sql/statement.ts'
import { lastingClients, newDatabase, opened } from '../archive/databases-here.ts'

vi.mock('../../src/storage/open-database.ts', async (original) => {
  const { wrapOpen } = await import('../support/record-statements.ts')
  return wrapOpen(await original())
})

const INDEXES: Readonly<Record<string, string>> = {
  sqlite: "select name from sqlite_schema where type = 'index' and sql like '%json%' order by name",
  postgres:
    "select indexname from pg_indexes where schemaname = current_schema() and indexdef like '%json%' order by 1",
  // It has none: MariaDB would not use them.
  mysql:
    "select column_name from information_schema.columns where table_schema = database() and generation_expression like '%json%'",
}

describe.each(lastingClients)('%s', (client) => {
  const ask = async (config: DatabaseConfig, text: string): Promise<readonly string[]> => {
    const database = await opened(config)
    const rows = await database.read(() => run(statement(text, true), []))
    await database.close()
    return rows.map((row) => row.map(String).join(' '))
  }
  const listIndexes = (config: DatabaseConfig): Promise<readonly string[]> =>
    ask(config, INDEXES[client] ?? '')

  test('come and go with the file', async () => {
    const database = await newDatabase(client)
    for (const index of [[], ['extra.size', 'extra.the key'], ['extra.size'], []]) {
      const types = { item: { index, attributes: { name: 'string', extra: 'json' } } }
      const cms = await createCms({ contentTypes: types }, { env: {}, database: database as never })
      const items = cms.entries('item')
      await items.create({ name: 'a', extra: { size: 3, 'the key': 'k'.repeat(5000) } })
      const filters = { extra: { size: { $gt: 2 } } }
      expect(await items.count({ filters })).toBe(await items.count())
      expect(await items.count({ filters: { extra: { 'the key': 'k'.repeat(5000) } } })).toBe(
        await items.count(),
      )
      await cms.close()
      expect((await listIndexes(database)).length).toBe(client === 'mysql' ? 0 : 2 * index.length)
    }
  })

  test.runIf(client === 'sqlite')('serve equality, ranges and order', async () => {
    const { recorded } = await import('../support/record-statements.ts')
    const database = await newDatabase(client)
    const types = { item: { index: ['extra.size'], attributes: { name: 'string', extra: 'json' } } }
    const cms = await createCms({ contentTypes: types }, { env: {}, database: database as never })
    const statements = recorded.at(-1) ?? []
    const plans: string[] = []
    for (const query of [
      { filters: { extra: { size: 'large' } } },
      { filters: { extra: { size: { $between: [1, 2] } } } },
      { sort: 'extra.size' },
      { filters: { extra: { other: 1 } } },
    ]) {
      await cms.entries('item').findMany(query)
      const text = statements.findLast((one) => one.startsWith('select')) ?? ''
      plans.push(`explain query plan ${text.replaceAll('?', '1')}`)
    }
    await cms.close()
    const used: string[] = []
    for (const plan of plans) {
      const [, name = 'none'] = /using index (\w+)/i.exec((await ask(database, plan)).join()) ?? []
      used.push(name)
    }
    expect(used.map((name) => name.replace(/_[0-9a-f]{8}_/, '_…_'))).toEqual([
      'items_extra_…_key_index',
      'items_extra_…_number_index',
      'items_extra_…_number_index',
      'none',
    ])
  })
})
