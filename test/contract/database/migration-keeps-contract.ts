// What a migration must keep, on every database.

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
  refuse,
  table,
  withDatabase,
} from './migration-support.ts'
import { sqlOf } from './sql-text.ts'

/** Opens an empty database for each test, which closes it. */
export function runMigrationKeepsContract(name: string, open: () => Promise<Database>): void {
  const opened = withDatabase(open)

  describe(`${name}: what a migration keeps`, () => {
    test('create what is missing, once', () =>
      opened(async (database) => {
        const after = layout(table('a', { x: 'text' }, ['x']))
        expect((await migrated(database, after)).changes).toHaveLength(2)
        expect(await migrated(database, after)).toMatchObject({ ok: true, changes: [], diagnostics: [] })
      }))

    test('every column type can be created and filled', () =>
      opened(async (database) => {
        const a = table('a', {
          text: 'text',
          integer: 'integer',
          biginteger: 'biginteger',
          float: 'float',
          decimal: 'decimal',
          boolean: 'boolean',
          date: 'date',
          time: 'time',
          datetime: 'datetime',
          json: 'json',
          order: 'order',
        })
        await migrated(database, layout(a))
        await insert(database, a, {
          text: 'x',
          biginteger: 5n,
          boolean: true,
          datetime: 1_700_000_000_000,
          order: 1.5,
        })
        expect(await contentOf(database, a)).toMatchObject({
          text: ['x'],
          biginteger: ['5'],
          boolean: [1],
          datetime: [1_700_000_000_000],
          order: [1.5],
          json: [null],
        })
      }))

    test('values survive added and removed attributes and added types', () =>
      opened(async (database) => {
        const before = table('a', { x: 'text', y: 'integer' })
        const after = table('a', { x: 'text', z: 'json' })
        await migrated(database, layout(before))
        await insert(database, before, { x: 'one', y: 1 })
        const migration = await migrated(database, layout(after, table('b', { x: 'text' })))
        expect(migration.diagnostics).toEqual([
          {
            code: 'DBS006',
            severity: 'warning',
            path: ['contentTypes', 'a', 'y'],
            message: 'a.y is gone from the configuration: 1 value stays in the database, hidden',
            help: 'the same attribute brings it back; `database.migrations.destructive: apply` drops it',
          },
        ])
        expect(await contentOf(database, after)).toEqual({ id: [1], x: ['one'], z: [null] })
      }))

    test('a removed attribute comes back with its values, and says so', () =>
      opened(async (database) => {
        const a = table('a', { x: 'text' }, ['x'])
        await migrated(database, layout(a))
        await insert(database, a, { x: 'one' })
        await migrated(database, layout(table('a', {})))
        const migration = await migrated(database, layout(a))
        expect(migration.diagnostics.map(({ code, message }) => [code, message])).toEqual([
          ['DBS011', 'a.x shows 1 value again that it held before it was removed'],
        ])
        expect(await contentOf(database, a)).toEqual({ id: [1], x: ['one'] })
      }))

    test('a removed attribute that comes back with another type starts empty', () =>
      opened(async (database) => {
        const a = table('a', { x: 'text' })
        await migrated(database, layout(a))
        await insert(database, a, { x: '17' })
        await migrated(database, layout(table('a', {})))
        const number = table('a', { x: 'integer' })
        expect(codes(await migrated(database, layout(number)))).toEqual(['DBS010'])
        expect(await contentOf(database, number)).toEqual({ id: [1], x: [null] })
        expect(codes(await migrated(database, layout(number)))).toEqual([])
      }))

    test('a removed type comes back with its entries and links, and says so', () =>
      opened(async (database) => {
        const [a, b, l] = [table('a', { x: 'text' }), table('b', {}), links('a', 'b')]
        await migrated(database, layout(a, b, l))
        await insert(database, a, { x: 'one' })
        await insert(database, b, { id: 1 })
        await insert(database, l, { source_id: 1, target_id: 1 })
        expect(codes(await migrated(database, layout(a)))).toEqual(['DBS006', 'DBS006'])
        expect(codes(await migrated(database, layout(a, b, l)))).toEqual(['DBS011', 'DBS011'])
        expect(await contentOf(database, l)).toEqual({ id: [1], source_id: [1], target_id: [1] })
      }))

    test('hidden links go with the entries they link', () =>
      opened(async (database) => {
        const [a, b, l] = [table('a', {}), table('b', {}), links('a', 'b')]
        await migrated(database, layout(a, b, l))
        await insert(database, a, { id: 1 })
        await insert(database, b, { id: 1 })
        await insert(database, l, { source_id: 1, target_id: 1 })
        await migrated(database, layout(a, b))
        await database.transaction(() => run(sqlOf(database.dialect)`delete from a`, []))
        await migrated(database, layout(a, b, l))
        expect(await contentOf(database, l)).toEqual({ id: [], source_id: [], target_id: [] })
      }))

    test('where it is allowed, what is gone is dropped, but not before the contraction', () =>
      opened(async (database) => {
        const [a, b, l] = [table('a', { x: 'text', y: 'text' }, ['x']), table('b', {}), links('a', 'b')]
        await migrated(database, layout(a, b, l))
        await insert(database, a, { x: 'one', y: 'two' })
        await insert(database, b, { id: 1 })
        await insert(database, l, { source_id: 1, target_id: 1 })
        const after = layout(table('a', { y: 'text' }))
        expect(codes(await migrated(database, after, apply))).toEqual(['DBS007', 'DBS007', 'DBS007'])
        expect(await contentOf(database, a)).toMatchObject({ x: ['one'] })
        expect(await contractDatabase(database, refuse)).toEqual([])
        expect(await contractDatabase(database, apply)).toEqual(['links', 'b', 'a.x'])
        expect(await contractDatabase(database, apply)).toEqual([])
        expect(codes(await migrated(database, layout(a, b, l), apply))).toEqual([])
        expect(await contentOf(database, a)).toEqual({ id: [1], x: [null], y: ['two'] })
      }))

    test('links that get an order get the one in which they were made', () =>
      opened(async (database) => {
        const [a, b] = [table('a', {}), table('b', {})]
        await migrated(database, layout(a, b, links('a', 'b')))
        await insert(database, a, { id: 1 })
        for (const id of [3, 1, 2]) {
          await insert(database, b, { id })
          await insert(database, links('a', 'b'), { source_id: 1, target_id: id })
        }
        const ordered = links('a', 'b', true)
        await migrated(database, layout(a, b, ordered))
        expect(await contentOf(database, ordered)).toMatchObject({
          target_id: [3, 1, 2],
          target_order: [1, 2, 3],
        })
        await migrated(database, layout(a, b, links('a', 'b')))
        await insert(database, a, { id: 2 })
        await insert(database, links('a', 'b'), { source_id: 2, target_id: 1 })
      }))

    test('an added column may be filled', () =>
      opened(async (database) => {
        const a = table('a', { x: 'text' })
        await migrated(database, layout(a))
        await insert(database, a, { x: 'one' })
        const after = table('a', { x: 'text', y: 'datetime', z: 'text' })
        await migrated(database, layout(after), {
          ...refuse,
          fill: (_, { name }) => (name === 'y' ? 5 : undefined),
        })
        await insert(database, after, { x: 'two' })
        expect(await contentOf(database, after)).toEqual({
          id: [1, 2],
          x: ['one', 'two'],
          y: [5, null],
          z: [null, null],
        })
      }))
  })
}
