import { beforeEach, expect, test } from 'vitest'
import { PreparedStatements } from '../../../src/databases/sqlite/prepared-statements.ts'
import type { SqlJsDatabase, SqlJsStatement } from '../../../src/databases/sqlite/sql-js-types.ts'

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

test('a statement is prepared once', () => {
  const prepared = new PreparedStatements(connection, 2)
  expect(prepared.get('select 1')).toBe(prepared.get('select 1'))
  expect(held).toEqual(['select 1'])
})

test('the one unused longest is freed for a new one', () => {
  const prepared = new PreparedStatements(connection, 2)
  for (const text of ['select 1', 'select 2', 'select 1', 'select 3']) prepared.get(text)
  expect(held).toEqual(['select 1', 'select 3'])
  expect(prepared.size).toBe(2)
})

test('what defines tables is not kept, and frees nothing else', () => {
  const prepared = new PreparedStatements(connection, 1)
  prepared.get('select 1')
  expect(prepared.get('create table a (id integer)').kept).toBe(false)
  expect(prepared.size).toBe(1)
  expect(held).toContain('select 1')
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
    expect(new PreparedStatements(connection, 9).get(text)).toMatchObject({ placeholders, reads })
  })
}

test('a statement beyond all measure is refused', () => {
  const text = `select ${'1 + '.repeat(300_000)}1`
  expect(() => new PreparedStatements(connection, 9).get(text)).toThrow('a statement of')
})
