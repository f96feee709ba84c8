// What every database must do with work, whatever it is: each `*.test.ts` beside this file runs it over one of them.

import { describe, expect, test } from 'vitest'
import { type Database, run, UniqueViolation, type Work } from '../../../src/storage/database.ts'
import { failure, insert, names, withTablesIn } from './database-support.ts'
import { sqlOf } from './sql-text.ts'

/** Opens an empty database for each test, which closes it. */
export function runDatabaseWorkContract(
  name: string,
  open: () => Promise<Database>,
  sideBySide: boolean,
): void {
  const withTables = withTablesIn(open)

  describe(`${name}: work`, () => {
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
        expect(refused.filter((reason) => !(reason instanceof UniqueViolation))).toEqual([])
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
        if (!sideBySide) expect([...seen].join(' ')).toBe('a a a a:3 b b b b:6')
        // Of the other one's rows each saw all or none.
        for (const count of seen.filter((step) => step.includes(':'))) expect(count).toMatch(/^[ab]:(?:3|6)$/)
        expect(await names(database)).toHaveLength(6)
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
  })
}
