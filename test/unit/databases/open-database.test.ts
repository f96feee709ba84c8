import { expect, test } from 'vitest'
import type { DatabaseConfig } from '../../../src/config/config.ts'
import { run } from '../../../src/databases/database.ts'
import { openDatabase } from '../../../src/databases/open-database.ts'
import { OpenFailure } from '../../../src/databases/open-failure.ts'
import { statement } from '../../../src/sql/statement.ts'

const memory: DatabaseConfig = {
  client: 'memory',
  filename: undefined,
  durability: 'full',
  connection: undefined,
  schema: undefined,
  pool: { min: 0, max: 10 },
  pooler: false,
  replicas: [],
  migrations: { destructive: 'refuse' },
}

test('memory is a database of its own at each call', async () => {
  const [one, other] = [await openDatabase(memory, '.'), await openDatabase(memory, '.')]
  await one.transaction(() => run(statement('create table a (id integer) strict', false), []))
  expect(await one.read(() => run(statement('select * from a', true), []))).toEqual([])
  expect(() => other.read(() => run(statement('select * from a', true), []))).toThrow('no such table')
  expect([one.durable, one.dialect.name]).toEqual([false, 'sqlite'])
  await one.close()
  await other.close()
})

for (const client of ['sqlite'] as const) {
  test(`${client} is refused with a diagnostic`, async () => {
    const failure = await openDatabase({ ...memory, client }, '.').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(OpenFailure)
    expect((failure as OpenFailure).diagnostics).toEqual([
      {
        code: 'DBS001',
        severity: 'error',
        path: ['database', 'client'],
        message: `the database "${client}" is not available in this version`,
        help: 'use `client: memory`',
      },
    ])
  })
}
