// What every database must do, whatever it is: each `*.test.ts` beside this file runs it over one of them.

import { describe, expect, test } from 'vitest'
import {
  type Database,
  run,
  StatementFailure,
  UniqueViolation,
  type Work,
} from '../../../src/databases/database.ts'
import { createDdl } from '../../../src/sql/ddl.ts'
import type { Column, ColumnType, Table } from '../../../src/sql/layout.ts'
import type { SqlRow, SqlValue } from '../../../src/sql/statement.ts'
import { sqlOf } from './sql-text.ts'

const id: Column = { name: 'id', type: 'id', nullable: false, origin: undefined }

function column(name: string, type: ColumnType, references?: string): Column {
  return { name, type, nullable: true, origin: undefined, ...(references !== undefined && { references }) }
}

const authors: Table = {
  name: 'authors',
  columns: [
    id,
    column('name', 'text'),
    column('locale', 'text'),
    column('views', 'biginteger'),
    column('score', 'float'),
  ],
  indexes: [{ name: 'authors_name_locale_unique', columns: ['name', 'locale'], unique: true }],
}
const links: Table = {
  name: 'links',
  columns: [id, column('source_id', 'reference', 'authors'), column('target_id', 'reference', 'authors')],
  indexes: [],
}

/** Opens an empty database for each test, which closes it. */
export function runDatabaseContract(name: string, open: () => Promise<Database>): void {
  async function withTables(check: (database: Database) => Promise<void> | void): Promise<void> {
    const database = await open()
    try {
      const ddl = createDdl(database.dialect)
      await database.transaction(function* () {
        for (const table of [authors, links]) {
          yield* run(ddl.createTable(table), [])
          for (const index of table.indexes) yield* run(ddl.createIndex(table.name, index), [])
        }
      })
      await check(database)
    } finally {
      await database.close()
    }
  }

  function* insert(
    database: Database,
    name: string,
    views: SqlValue = null,
    score: SqlValue = null,
  ): Work<number> {
    const text = sqlOf(
      database.dialect,
    )`insert into authors (name, locale, views, score) values (${'text'}, ${'text'}, ${'biginteger'}, ${'float'}) returning id`
    const [row] = yield* run(text, [name, 'en', views, score])
    return Number(row?.[0])
  }

  function names(database: Database): readonly SqlRow[] | Promise<readonly SqlRow[]> {
    return database.read(() => run(sqlOf(database.dialect)`select name from authors order by id`, []))
  }

  async function failure(task: () => unknown): Promise<unknown> {
    try {
      await task()
    } catch (error) {
      return error
    }
    return undefined
  }

  describe(name, () => {
    test('a transaction is kept as a whole', () =>
      withTables(async (database) => {
        const ids = await database.transaction(function* () {
          return [yield* insert(database, 'Ada'), yield* insert(database, 'Bo')]
        })
        expect(ids).toEqual([1, 2])
        expect(await names(database)).toEqual([['Ada'], ['Bo']])
      }))

    test('work that throws leaves nothing behind', () =>
      withTables(async (database) => {
        const thrown = new Error('second thoughts')
        const caught = await failure(() =>
          database.transaction(function* () {
            yield* insert(database, 'Ada')
            throw thrown
          }),
        )
        expect(caught).toBe(thrown)
        expect(await names(database)).toEqual([])
      }))

    test('a statement that fails leaves nothing behind, even where the work wants to go on', () =>
      withTables(async (database) => {
        const caught = await failure(() =>
          database.transaction(function* () {
            yield* insert(database, 'Ada')
            try {
              yield* insert(database, 'Ada')
            } catch {
              yield* insert(database, 'Bo')
            }
          }),
        )
        expect(caught).toBeInstanceOf(UniqueViolation)
        expect(await names(database)).toEqual([])
      }))

    test('work may answer a failed statement with an error of its own', () =>
      withTables(async (database) => {
        const own = new Error('taken')
        const caught = await failure(() =>
          database.transaction(function* () {
            yield* insert(database, 'Ada')
            try {
              yield* insert(database, 'Ada')
            } catch {
              throw own
            }
          }),
        )
        expect(caught).toBe(own)
      }))

    test('a refused duplicate names table and columns', () =>
      withTables(async (database) => {
        await database.transaction(() => insert(database, 'Ada'))
        const caught = await failure(() => database.transaction(() => insert(database, 'Ada')))
        expect(caught).toMatchObject({ table: 'authors', columns: ['name', 'locale'] })
      }))

    test('of a hundred tasks that want the same unique value, one gets it', () =>
      withTables(async (database) => {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 100 }, async () => {
            await Promise.resolve()
            return database.transaction(() => insert(database, 'Ada'))
          }),
        )
        const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
        expect(refused).toHaveLength(99)
        expect(refused.every((reason) => reason instanceof UniqueViolation)).toBe(true)
        expect(await names(database)).toEqual([['Ada']])
      }))

    test('two tasks that start together do not come between each other', () =>
      withTables(async (database) => {
        const seen: string[] = []
        function* task(name: string): Work<void> {
          for (let step = 0; step < 3; step++) {
            yield* insert(database, `${name}${step}`)
            seen.push(name)
          }
          const rows = yield* run(sqlOf(database.dialect)`select count(*) from authors`, [])
          seen.push(`${name}:${rows[0]?.[0]}`)
        }
        await Promise.all([
          Promise.resolve().then(() => database.transaction(() => task('a'))),
          Promise.resolve().then(() => database.transaction(() => task('b'))),
        ])
        expect([...seen].join(' ')).toBe('a a a a:3 b b b b:6')
      }))

    test('a read beside a transaction sees all of it or nothing', () =>
      withTables(async (database) => {
        const counts: unknown[] = []
        const count = async () => {
          const rows = await database.read(() =>
            run(sqlOf(database.dialect)`select count(*) from authors`, []),
          )
          counts.push(rows[0]?.[0])
        }
        const pair = (name: string) =>
          database.transaction(function* () {
            yield* insert(database, `${name} one`)
            yield* insert(database, `${name} two`)
          })
        await Promise.all(
          ['a', 'b', 'c'].flatMap((name) => [
            Promise.resolve().then(count),
            Promise.resolve().then(() => pair(name)),
          ]),
        )
        await count()
        expect(counts.every((count) => Number(count) % 2 === 0)).toBe(true)
        expect(counts.at(-1)).toBe(6)
      }))

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
