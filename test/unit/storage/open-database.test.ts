import { expect, test } from 'vitest'
import { run } from '../../../src/storage/database.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { statement } from '../../../src/storage/sql/statement.ts'
import { databaseConfig } from '../../contract/database/database-config.ts'

const memory = databaseConfig('memory')

test('memory is a database of its own at each call', async () => {
  const [one, other] = [await openDatabase(memory, '.'), await openDatabase(memory, '.')]
  await one.transaction(() => run(statement('create table a (id integer) strict', false), []))
  expect(await one.read(() => run(statement('select * from a', true), []))).toEqual([])
  expect(() => other.read(() => run(statement('select * from a', true), []))).toThrow('no such table')
  expect([one.durable, one.dialect.name]).toEqual([false, 'sqlite'])
  await one.close()
  await other.close()
})
