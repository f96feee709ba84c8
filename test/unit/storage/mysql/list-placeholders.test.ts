import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { countPlaceholders, expandLists } from '../../../../src/storage/drivers/mysql/list-placeholders.ts'
import { createMysqlDialect } from '../../../../src/storage/drivers/mysql/mysql-dialect.ts'
import { createCompiler } from '../../../../src/storage/sql/kysely-compiler.ts'
import type { ColumnType } from '../../../../src/storage/sql/layout.ts'

const dialect = createMysqlDialect('mariadb')
const compile = createCompiler(dialect)
const listed = (type: ColumnType): string =>
  compile(
    sql`select id from t where a = ${1} and ${dialect.inList(type, sql.ref('b'), sql`${null}`)} limit ${3}`,
  ).text

describe('a list becomes as many placeholders as the next power of two', () => {
  for (const [type, given, placeholders, values] of [
    ['id', [7], '?', [7]],
    ['id', [7, 8], '?,?', [7, 8]],
    ['id', [7, 8, 9], '?,?,?,?', [7, 8, 9, 9]],
    ['id', [7, null, 8], '?,?', [7, 8]],
    ['biginteger', [1, 9007199254740993n], '?,?', [1n, 9007199254740993n]],
    ['float', [0.5, 2], '?,?', [0.5, 2]],
    ['text', ['a?', "it's"], '?,?', ['a?', "it's"]],
    ['boolean', [true, false], '?,?', [1, 0]],
  ] as const)
    test(`${type} ${given.map(String).join()}`, () => {
      const text = listed(type)
      expect(countPlaceholders(text)).toBe(3)
      expect(expandLists(text, [5, dialect.encodeList(type, given), 10])).toEqual({
        text: `select id from t where a = ? and \`b\` in (${placeholders}) limit ?`,
        values: [5, ...values, 10],
      })
    })

  test('none matches nothing, also below NOT', () => {
    expect(expandLists(listed('id'), [5, dialect.encodeList('id', []), 10])).toEqual({
      text: 'select id from t where a = ? and `b` in (select null from dual where false) limit ?',
      values: [5, 10],
    })
  })

  test('more than a statement takes stay one value', () => {
    const ids = Array.from({ length: 8193 }, (_, index) => index)
    const { text, values } = expandLists(listed('id'), [5, dialect.encodeList('id', ids), 10])
    expect(text).toContain("json_table(?, '$[*]' columns (value bigint path '$'))")
    expect(values).toEqual([5, dialect.encodeList('id', ids), 10])
  })
})

test('question marks in texts and names are no placeholders', () => {
  const { text } = compile(sql`select ${sql.ref('why?')}, ${sql.lit("it's? \\")} from t where a = ${1}`)
  expect(text).toBe("select `why?`, 'it''s? \\' from t where a = ?")
  expect(countPlaceholders(text)).toBe(1)
})
