import { expect, test } from 'vitest'
import { run } from '../../../src/storage/database.ts'
import { MemoryDatabase } from '../../../src/storage/drivers/memory/memory-database.ts'
import { observeStatements } from '../../../src/storage/observe-statements.ts'
import { statement } from '../../../src/storage/sql/statement.ts'

test('a database that is observed can do what it can otherwise, and tells of reads of one state', async () => {
  const database = await MemoryDatabase.open()
  const told: string[] = []
  const observed = observeStatements(database, () => (step) => void told.push(step.statement.text))
  expect({ server: observed.server, copies: observed.copies }).toEqual({
    server: undefined,
    copies: database,
  })
  await observed.readOneState(async (reader) => reader.read(() => run(statement('select 1', true), [])))
  expect(told).toEqual(['select 1'])
  await database.close()
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
