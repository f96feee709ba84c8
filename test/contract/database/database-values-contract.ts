// What every database must do with values and texts, whatever it is.

import { describe, expect, test } from 'vitest'
import { type Database, run, StatementFailure } from '../../../src/storage/database.ts'
import type { ColumnType } from '../../../src/storage/sql/layout.ts'
import type { SqlValue } from '../../../src/storage/sql/statement.ts'
import { failure, insert, names, withTablesIn } from './database-support.ts'
import { sqlOf } from './sql-text.ts'

/** Opens an empty database for each test, which closes it. */
export function runDatabaseValuesContract(name: string, open: () => Promise<Database>): void {
  const withTables = withTablesIn(open)

  describe(`${name}: values`, () => {
    test('whole numbers of 64 bits come back exactly', () =>
      withTables(async (database) => {
        const values = [0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)]
        await database.transaction(function* () {
          for (const [index, value] of values.entries()) yield* insert(database, `n${index}`, value)
        })
        const rows = await database.read(() =>
          run(
            sqlOf(
              database.dialect,
            )`select ${{ select: 'biginteger', column: 'views' }} from authors order by id`,
            [],
          ),
        )
        expect(rows.map(([value]) => BigInt(String(value)))).toEqual(values)
        const found = await database.read(() =>
          run(sqlOf(database.dialect)`select name from authors where views = ${'biginteger'}`, [
            2n ** 63n - 1n,
          ]),
        )
        expect(found).toEqual([['n3']])
        const sorted = await database.read(() =>
          run(sqlOf(database.dialect)`select name from authors order by views`, []),
        )
        expect(sorted.flat()).toEqual(['n4', 'n1', 'n0', 'n2', 'n3'])
      }))

    test('fractions come back exactly', () =>
      withTables(async (database) => {
        const values = [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 123456789.12345679]
        await database.transaction(function* () {
          for (const [index, value] of values.entries()) yield* insert(database, `n${index}`, null, value)
        })
        const rows = await database.read(() =>
          run(sqlOf(database.dialect)`select score from authors order by id`, []),
        )
        expect(rows.flat()).toEqual(values)
      }))

    test('text of every kind comes back as it was', () =>
      withTables(async (database) => {
        const values = [
          '',
          'ascii',
          '\ufeffa byte order mark',
          'Ünïcode',
          '日本語',
          '👩‍👩‍👧',
          "'; drop table authors; --",
          '%_\\',
          'x'.repeat(100_000),
        ]
        await database.transaction(function* () {
          for (const value of values) yield* insert(database, value)
        })
        expect((await names(database)).flat()).toEqual(values)
      }))

    for (const [fault, value] of [
      ['text with a NUL', 'a\0b'],
      ['NaN', Number.NaN],
      ['an infinite number', Number.POSITIVE_INFINITY],
      ['a whole number of 65 bits', 2n ** 63n],
      ['a boolean', true],
      ['undefined', undefined],
      ['a list', [1]],
      ['a date', new Date(0)],
    ] as const) {
      test(`${fault} is refused`, () =>
        withTables(async (database) => {
          const text = sqlOf(database.dialect)`insert into authors (name) values (${'text'})`
          const values = [value as unknown as SqlValue]
          const caught = await failure(() => database.transaction(() => run(text, values)))
          expect(caught).toMatchObject({ name: 'InvariantError' })
          expect(await names(database)).toEqual([])
        }))
    }

    test('text is refused where a number belongs', () =>
      withTables(async (database) => {
        const text = sqlOf(database.dialect)`insert into authors (score) values (${'float'})`
        const caught = await failure(() => database.transaction(() => run(text, ['abc'])))
        expect(caught).toBeInstanceOf(StatementFailure)
      }))

    test('links go with what they link', () =>
      withTables(async (database) => {
        const { dialect } = database
        await database.transaction(function* () {
          const ada = yield* insert(database, 'Ada')
          const bo = yield* insert(database, 'Bo')
          yield* run(
            sqlOf(dialect)`insert into links (source_id, target_id) values (${'reference'}, ${'reference'})`,
            [ada, bo],
          )
          yield* run(sqlOf(dialect)`delete from authors where id = ${'id'}`, [bo])
        })
        expect(await database.read(() => run(sqlOf(dialect)`select id from links`, []))).toEqual([])
      }))

    test('a link to nothing is refused', () =>
      withTables(async (database) => {
        const text = sqlOf(
          database.dialect,
        )`insert into links (source_id, target_id) values (${'reference'}, ${'reference'})`
        const caught = await failure(() => database.transaction(() => run(text, [1, 2])))
        expect(caught).toMatchObject({ name: 'StatementFailure', kind: 'foreign-key' })
      }))

    test('the id of a deleted row is not given again', () =>
      withTables(async (database) => {
        const first = await database.transaction(() => insert(database, 'Ada'))
        await database.transaction(() => run(sqlOf(database.dialect)`delete from authors`, []))
        const second = await database.transaction(() => insert(database, 'Ada'))
        expect(second).toBeGreaterThan(first)
      }))

    test('a failure says nothing of the statement', () =>
      withTables(async (database) => {
        const caught = await failure(() =>
          database.read(() => run(sqlOf(database.dialect)`select secret from authors`, [])),
        )
        expect(caught).toBeInstanceOf(StatementFailure)
        expect((caught as StatementFailure).message).not.toMatch(/select|from authors/)
      }))

    test('a name that no table has is an error, not a text', () =>
      withTables(async (database) => {
        await database.transaction(() => insert(database, 'Ada'))
        const text = sqlOf(database.dialect)`select ${{ select: 'text', column: 'nothing' }} from authors`
        expect(await failure(() => database.read(() => run(text, [])))).toBeInstanceOf(StatementFailure)
      }))

    test('matching knows no wildcards and folds ASCII only', () =>
      withTables(async (database) => {
        await database.transaction(function* () {
          for (const name of ['Straße', 'É', 'é', '100%', '100x', 'a_b', 'axb', 'ABC', 'abc', ''])
            yield* insert(database, name)
        })
        const { dialect } = database
        const found = async (
          matcher: 'contains' | 'startsWith' | 'endsWith' | 'equalIgnoringCase',
          value: string,
          ignoresCase = false,
        ) => {
          const text = sqlOf(
            dialect,
          )`select name from authors where ${{ matcher, column: 'name', ignoresCase }} order by id`
          // The matchers may use their value more than once.
          const values = Array.from({ length: text.placeholders }, () => value)
          return (await database.read(() => run(text, values))).flat()
        }
        expect(await found('contains', '%')).toEqual(['100%'])
        expect(await found('contains', '_')).toEqual(['a_b'])
        expect(await found('contains', 'b')).toEqual(['a_b', 'axb', 'abc'])
        expect(await found('contains', 'B', true)).toEqual(['a_b', 'axb', 'ABC', 'abc'])
        expect(await found('contains', '')).toHaveLength(10)
        expect(await found('startsWith', 'a')).toEqual(['a_b', 'axb', 'abc'])
        expect(await found('startsWith', 'AB', true)).toEqual(['ABC', 'abc'])
        expect(await found('startsWith', '')).toHaveLength(10)
        expect(await found('startsWith', 'abcd')).toEqual([])
        expect(await found('endsWith', 'b')).toEqual(['a_b', 'axb'])
        expect(await found('endsWith', 'bC', true)).toEqual(['ABC', 'abc'])
        expect(await found('endsWith', '')).toHaveLength(10)
        expect(await found('endsWith', 'aße')).toEqual(['Straße'])
        expect(await found('endsWith', 'xABC')).toEqual([])
        expect(await found('equalIgnoringCase', 'aBc')).toEqual(['ABC', 'abc'])
        expect(await found('equalIgnoringCase', 'É')).toEqual(['É'])
      }))

    test('a list is one parameter', () =>
      withTables(async (database) => {
        const { dialect } = database
        await database.transaction(function* () {
          for (const [index, name] of ['a', 'b"', "c'", 'd'].entries()) {
            yield* insert(database, name, 2n ** 62n + BigInt(index), index + 0.1)
          }
        })
        const found = async (
          column: string,
          type: ColumnType,
          values: readonly (string | number | bigint | null)[],
        ) => {
          const text = sqlOf(dialect)`select name from authors where ${{ list: type, column }} order by id`
          return (await database.read(() => run(text, [dialect.encodeList(type, values)]))).flat()
        }
        expect(await found('name', 'text', ['b"', "c'", 'x'])).toEqual(['b"', "c'"])
        expect(await found('name', 'text', [])).toEqual([])
        expect(await found('name', 'text', [null, 'a'])).toEqual(['a'])
        expect(await found('id', 'id', [1, 4])).toEqual(['a', 'd'])
        expect(await found('views', 'biginteger', [2n ** 62n + 1n])).toEqual(['b"'])
        expect(await found('score', 'float', [2.1])).toEqual(["c'"])
      }))

    test('null is first ascending and last descending', () =>
      withTables(async (database) => {
        await database.transaction(function* () {
          for (const [index, score] of [2, null, 1].entries())
            yield* insert(database, `n${index}`, null, score)
        })
        const sorted = async (descending: boolean) =>
          (
            await database.read(() =>
              run(
                sqlOf(database.dialect)`select name from authors order by ${{ order: 'score', descending }}`,
                [],
              ),
            )
          ).flat()
        expect(await sorted(false)).toEqual(['n1', 'n2', 'n0'])
        expect(await sorted(true)).toEqual(['n0', 'n2', 'n1'])
      }))
  })
}
