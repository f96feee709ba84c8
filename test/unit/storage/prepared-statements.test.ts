import { beforeEach, expect, test } from 'vitest'
import { PreparedStatements } from '../../../src/storage/drivers/memory/prepared-statements.ts'
import type { SqlJsDatabase, SqlJsStatement } from '../../../src/storage/drivers/memory/sql-js-types.ts'

/** What was prepared and not freed yet, as sql.js would hold it. */
let held: string[]

const connection: SqlJsDatabase = {
  prepare(text): SqlJsStatement {
    held.push(text)
    return {
      bind: () => true,
      step: () => false,
      get: () => [],
      reset: () => {},
      free() {
        held.splice(held.indexOf(text), 1)
        return true
      },
    }
  },
  export: () => new Uint8Array(),
  close: () => {},
}

beforeEach(() => {
  held = []
})

/** About the weight of one short statement. */
const ONE = 2100

test('a statement is kept from its second use on', () => {
  const prepared = new PreparedStatements(connection, 8 * ONE)
  expect(prepared.get('select 1').kept).toBe(false)
  expect(prepared.size).toBe(0)
  const second = prepared.get('select 1')
  expect(second.kept).toBe(true)
  expect(prepared.get('select 1')).toBe(second)
})

test('those unused longest are freed for new ones', () => {
  const prepared = new PreparedStatements(connection, 4 * ONE + 400)
  for (let number = 0; number < 6; number++) {
    prepared.get(`select ${number}`).statement.free()
    prepared.get(`select ${number}`)
  }
  expect(held).toEqual(['select 2', 'select 3', 'select 4', 'select 5'])
  expect(prepared.size).toBe(4)
})

test('one that weighs too much is not kept', () => {
  const prepared = new PreparedStatements(connection, 4 * ONE)
  const text = `select ${'1 + '.repeat(500)}1`
  prepared.get(text)
  expect(prepared.get(text).kept).toBe(false)
})

test('what defines tables is not kept, and frees nothing else', () => {
  const prepared = new PreparedStatements(connection, 8 * ONE)
  for (let time = 0; time < 2; time++) prepared.get('select 1')
  for (let time = 0; time < 2; time++) expect(prepared.get('create table a (id integer)').kept).toBe(false)
  expect(prepared.size).toBe(1)
})

for (const [text, placeholders, reads] of [
  ['select ? + ?', 2, true],
  ["select '?', '''?', `?`, `a``?`, \"?\" from a where b = ?", 1, true],
  ['insert into a (b) values (?)', 1, false],
  ['  SELECT 1', 0, true],
  ['selection', 0, false],
  ['update a set b = 1', 0, false],
] as const) {
  test(`placeholders and reading of ${text}`, () => {
    expect(new PreparedStatements(connection, 8 * ONE).get(text)).toMatchObject({ placeholders, reads })
  })
}

test('a statement beyond all measure is refused', () => {
  const text = `select ${'1 + '.repeat(300_000)}1`
  expect(() => new PreparedStatements(connection, 8 * ONE).get(text)).toThrow('a statement of')
})
