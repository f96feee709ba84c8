import { expect, test } from 'vitest'
import { run } from '../../../src/databases/database.ts'
import { observeStatements } from '../../../src/databases/observe-statements.ts'
import { PostgresDatabase } from '../../../src/databases/postgres/postgres-database.ts'
import { MemoryDatabase } from '../../../src/databases/sqlite/memory-database.ts'
import { statement } from '../../../src/sql/statement.ts'

test('a database server that is observed can do what it can otherwise', () => {
  const server: PostgresDatabase = Object.create(PostgresDatabase.prototype)
  const observed = observeStatements(server, () => undefined)
  for (const name of ['exclusively', 'ping', 'listen'] as const)
    expect(typeof observed[name], name).toBe('function')
})

test('statements are told before they run, and their ends also when they fail', async () => {
  const database = await MemoryDatabase.open({ broke() {}, replaced() {}, failed() {} })
  const told: string[] = []
  const observed = observeStatements(database, () => ({ statement: { text } }) => {
    told.push(text)
    return () => void told.push(`end of ${text}`)
  })
  const asked = (text: string) => observed.read(() => run(statement(text, true), []))
  expect(asked('select 1')).toEqual([[1]])
  expect(() => asked('select nothing')).toThrow()
  expect(told).toEqual(['select 1', 'end of select 1', 'select nothing', 'end of select nothing'])
  await database.close()
})
