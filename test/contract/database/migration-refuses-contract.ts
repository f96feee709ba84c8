// What a migration must convert or refuse, on every database.

import { describe, expect, test } from 'vitest'
import { contractDatabase } from '../../../src/storage/contract-database.ts'
import { type Database, run } from '../../../src/storage/database.ts'
import {
  apply,
  codes,
  contentOf,
  insert,
  layout,
  links,
  migrated,
  table,
  withDatabase,
} from './migration-support.ts'
import { sqlOf } from './sql-text.ts'

/** Opens an empty database for each test, which closes it. */
export function runMigrationRefusesContract(name: string, open: () => Promise<Database>): void {
  const opened = withDatabase(open)

  describe(`${name}: what a migration converts or refuses`, () => {
    test('a type that changes converts its values, and says so', () =>
      opened(async (database) => {
        const before = table('a', { x: 'text', y: 'boolean' }, ['x'])
        const after = table('a', { x: 'integer', y: 'text' }, ['x'])
        await migrated(database, layout(before))
        for (const [x, y] of [
          ['17', true],
          ['-3', false],
          [null, null],
        ] as const)
          await insert(database, before, { x, y })
        const migration = await migrated(database, layout(after))
        expect(migration.diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual(
          [
            ['DBS003', 'warning', 'a.x turned from text to integer: 2 values converted'],
            ['DBS003', 'warning', 'a.y turned from boolean to text: 2 values converted'],
          ],
        )
        expect(await contentOf(database, after)).toEqual({
          id: [1, 2, 3],
          x: [17, -3, null],
          y: ['true', 'false', null],
        })
      }))

    test('entries whose attribute is converted keep their links', () =>
      opened(async (database) => {
        const [a, b, l] = [table('a', { x: 'text' }), table('b', {}), links('a', 'b')]
        await migrated(database, layout(a, b, l))
        await insert(database, a, { x: '1' })
        await insert(database, b, { id: 1 })
        await insert(database, l, { source_id: 1, target_id: 1 })
        await migrated(database, layout(table('a', { x: 'integer' }), b, l))
        expect(await contentOf(database, l)).toEqual({ id: [1], source_id: [1], target_id: [1] })
        await database.transaction(() => run(sqlOf(database.dialect)`delete from a`, []))
        expect(await contentOf(database, l)).toMatchObject({ id: [] })
      }))

    test('many values convert, in batches', () =>
      opened(async (database) => {
        const before = table('a', { x: 'integer' })
        await migrated(database, layout(before))
        const text = sqlOf(database.dialect)`insert into a (x) values (${'integer'})`
        await database.transaction(function* () {
          for (let number = 0; number < 2500; number++) yield* run(text, [number])
        })
        const after = table('a', { x: 'text' })
        await migrated(database, layout(after))
        const { x } = await contentOf(database, after)
        expect(x).toEqual(Array.from({ length: 2500 }, (_, number) => String(number)))
      }))

    test('a type whose values do not all convert is refused with their entries, and nothing changes', () =>
      opened(async (database) => {
        const before = table('a', { x: 'text', y: 'text' })
        await migrated(database, layout(before))
        for (const x of ['1', 'two', '3', '4.5', ' 5', '06', 'VII', 'eight'])
          await insert(database, before, { x, y: x })
        const after = layout(table('a', { x: 'integer', z: 'text' }), table('b', {}))
        const migration = await migrated(database, after)
        expect(migration.ok).toBe(false)
        expect(migration.diagnostics[0]).toEqual({
          code: 'DBS002',
          severity: 'error',
          path: ['contentTypes', 'a', 'x'],
          message: 'a.x cannot become integer: 6 values would be lost (entries 2, 4, 5, 6, 7, …)',
          help: 'correct these entries, or remove the attribute in one edit and add it with its new type in the next: its old values are then set aside',
        })
        expect(await contentOf(database, before)).toMatchObject({
          x: ['1', 'two', '3', '4.5', ' 5', '06', 'VII', 'eight'],
        })
        expect(await migrated(database, layout(before))).toMatchObject({
          ok: true,
          changes: [],
          diagnostics: [],
        })
      }))

    test('a type that means nothing of the old one needs an empty column', () =>
      opened(async (database) => {
        const before = table('a', { x: 'time' })
        const after = table('a', { x: 'boolean' })
        await migrated(database, layout(before))
        await insert(database, before, { x: null })
        expect(codes(await migrated(database, layout(after)))).toEqual([])
        await migrated(database, layout(before))
        await insert(database, before, { x: '10:00:00.000' })
        const migration = await migrated(database, layout(after))
        expect([migration.ok, codes(migration)]).toEqual([false, ['DBS004']])
      }))

    test('unique over duplicates is refused with their entries', () =>
      opened(async (database) => {
        const before = table('a', { x: 'text' })
        await migrated(database, layout(before))
        for (const x of ['b', 'a', null, 'b', null, 'c']) await insert(database, before, { x })
        const migration = await migrated(database, layout(table('a', { x: 'text' }, ['x'])))
        expect(migration.diagnostics).toEqual([
          {
            code: 'DBS005',
            severity: 'error',
            path: ['contentTypes', 'a', 'x'],
            message: 'a.x cannot be unique: a has entries with the same value (entries 1, 4)',
            help: 'give these entries different values, or remove the duplicates',
          },
        ])
        await database.transaction(() => run(sqlOf(database.dialect)`delete from a where id = 4`, []))
        expect((await migrated(database, layout(table('a', { x: 'text' }, ['x'])))).ok).toBe(true)
      }))

    test('a value and a link that must be unique together are refused where rows have both in common', () =>
      opened(async (database) => {
        const [b, l] = [table('b', {}), links('a', 'b')]
        const before = table('a', { x: 'text' })
        const after = {
          ...before,
          together: [
            {
              columns: ['x'],
              links: [{ table: l.name, near: 'source_id', far: 'target_id', origin: 'a.b' }],
            },
          ],
        }
        await migrated(database, layout(before, b, l))
        for (const x of ['b', 'b', 'b', 'c', null, null]) await insert(database, before, { x })
        for (const id of [1, 2]) await insert(database, b, { id })
        for (const [source_id, target_id] of [
          [1, 1],
          [2, 2],
          [3, 1],
          [4, 1],
          [5, 2],
          [6, 2],
        ] as const)
          await insert(database, l, { source_id, target_id })
        const migration = await migrated(database, layout(after, b, l))
        expect(migration.diagnostics).toEqual([
          {
            code: 'DBS005',
            severity: 'error',
            path: ['contentTypes', 'a', 'x'],
            message: 'a.b with a.x cannot be unique: a has entries that have it in common (entries 1, 3)',
            help: 'give these entries different values, or remove the duplicates',
          },
        ])
        await database.transaction(() => run(sqlOf(database.dialect)`delete from a where id = 3`, []))
        expect(await migrated(database, layout(after, b, l))).toMatchObject({
          ok: true,
          changes: [{ kind: 'check-together' }],
        })
        expect(await migrated(database, layout(after, b, l))).toMatchObject({ ok: true, changes: [] })
      }))

    test('values that a conversion makes equal are duplicates', () =>
      opened(async (database) => {
        const before = table('a', { x: 'text' }, ['x'])
        await migrated(database, layout(before))
        for (const x of ['1', '1.0']) await insert(database, before, { x })
        const migration = await migrated(database, layout(table('a', { x: 'float' }, ['x'])))
        expect([migration.ok, codes(migration)]).toEqual([false, ['DBS005']])
      }))

    test('everything that is wrong is said at once', () =>
      opened(async (database) => {
        const before = table('a', { x: 'text', y: 'text', z: 'time' })
        await migrated(database, layout(before))
        for (const x of ['b', 'b']) await insert(database, before, { x, y: x, z: '10:00:00.000' })
        const migration = await migrated(
          database,
          layout(table('a', { x: 'integer', y: 'text', z: 'boolean' }, ['x', 'y', 'z'])),
        )
        expect(codes(migration)).toEqual(['DBS002', 'DBS004', 'DBS005'])
      }))

    test('a relation with links does not turn to another type', () =>
      opened(async (database) => {
        const [a, b, c] = [table('a', {}), table('b', {}), table('c', {})]
        await migrated(database, layout(a, b, c, links('a', 'b')))
        expect((await migrated(database, layout(a, b, c, links('a', 'c')))).ok).toBe(true)
        await insert(database, a, { id: 1 })
        await insert(database, c, { id: 1 })
        await insert(database, links('a', 'c'), { source_id: 1, target_id: 1 })
        const migration = await migrated(database, layout(a, b, c, links('a', 'b')))
        expect(migration.diagnostics).toEqual([
          {
            code: 'DBS008',
            severity: 'error',
            path: ['contentTypes', 'a', 'relation'],
            message: 'a.relation cannot point at another type: it holds 1 link to the old one',
            help: 'remove the relation in one edit and add it with its new target in the next: its old links are then set aside',
          },
        ])
        expect((await migrated(database, layout(a, b, c))).ok).toBe(true)
        expect((await migrated(database, layout(a, b, c, links('a', 'b')))).ok).toBe(true)
        expect(await contentOf(database, links('a', 'b'))).toMatchObject({ id: [] })
        expect(await contractDatabase(database, apply)).toEqual(['links__kept_1'])
      }))

    test('a database that holds something else is left alone', () =>
      opened(async (database) => {
        await database.transaction(() => run(sqlOf(database.dialect)`create table a (id integer)`, []))
        const migration = await migrated(database, layout(table('a', { x: 'text' })))
        expect(migration).toMatchObject({
          ok: false,
          diagnostics: [
            {
              code: 'DBS009',
              message: 'something other than cms-run changed the database: it has a table a already',
            },
          ],
        })
      }))

    for (const [what, change, message] of [
      ['a table is gone', 'drop table a', 'its table a is missing'],
      ['a column is gone', 'alter table a drop column x', 'its column a.x is missing'],
      ['a column came', 'alter table a add column more text', 'its table a has other columns: more'],
      [
        'the layout is nonsense',
        `update cms_run_layout set layout = '{"version":0}'`,
        'its table cms_run_layout cannot be read',
      ],
    ] as const) {
      test(`tables that somebody else changed are refused: ${what}`, () =>
        opened(async (database) => {
          await migrated(database, layout(table('a', { x: 'text' })))
          await database.transaction(() => run({ text: change, returns: false }, []))
          const migration = await migrated(database, layout(table('a', { x: 'text' }), table('b', {})))
          expect(migration).toMatchObject({
            ok: false,
            diagnostics: [
              { code: 'DBS009', message: `something other than cms-run changed the database: ${message}` },
            ],
          })
        }))
    }

    test('a database of a newer version is left alone', () =>
      opened(async (database) => {
        await migrated(database, layout(table('a', { x: 'text' })))
        const text = `update cms_run_layout set layout = '{"version":1000,"tables":[]}'`
        await database.transaction(() => run({ text, returns: false }, []))
        expect(codes(await migrated(database, layout(table('a', { x: 'text' }), table('b', {}))))).toEqual([
          'DBS033',
        ])
      }))
  })
}
