// Migrations that fail at any step, and any migration there and back again, on every database.

import fc from 'fast-check'
import { describe, expect, type TestContext, test } from 'vitest'
import { type Database, run } from '../../../src/storage/database.ts'
import { applyMigration } from '../../../src/storage/migrate.ts'
import { observeStatements } from '../../../src/storage/observe-statements.ts'
import type { ColumnType, Layout } from '../../../src/storage/sql/layout.ts'
import { scenarios } from './migration-scenarios.ts'
import {
  contentOf,
  contents,
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
export function runMigrationAtomicContract(
  name: string,
  open: () => Promise<Database>,
  numRuns: number,
): void {
  const opened = withDatabase(open)

  describe(`${name}: a migration is made as a whole`, () => {
    test('a failure in the middle leaves everything as it was', (context) =>
      opened(async (database) => {
        skipWithoutUndo(context, database)
        const before = table('a', { x: 'text' })
        await migrated(database, layout(before))
        await insert(database, before, { x: 'one' })
        const broken = layout(table('a', { x: 'integer' }), table('b', {}), {
          ...table('c', {}),
          indexes: [{ name: 'c_nothing', columns: ['nothing'], unique: false }],
        })
        await insert(database, before, { x: '1' })
        await database.transaction(() => run(sqlOf(database.dialect)`delete from a where id = 1`, []))
        await expect(applyMigration(database, broken, refuse)).rejects.toMatchObject({
          name: 'StatementFailure',
        })
        expect(await contentOf(database, before)).toEqual({ id: [2], x: ['1'] })
        expect(await migrated(database, layout(before))).toMatchObject({
          ok: true,
          changes: [],
          diagnostics: [],
        })
      }))

    test('a failure at any step leaves everything as it was', (context) =>
      opened(async (database) => {
        skipWithoutUndo(context, database)
        const [a, b] = [table('a', { x: 'text', y: 'text', z: 'text' }, ['x']), table('b', {})]
        const before = layout(a, b, links('a', 'b'))
        const after = layout(
          table('a', { x: 'integer', y: 'text', w: 'json' }, ['x', 'y']),
          b,
          table('c', {}),
          links('a', 'b', true),
        )
        await migrated(database, before)
        await insert(database, a, { x: '1', y: '2', z: '3' })
        await insert(database, b, { id: 1 })
        await insert(database, links('a', 'b'), { source_id: 1, target_id: 1 })
        const content = await contents(database, before)
        let failed = 0
        for (; ; failed++) {
          const failing = failingAt(database, failed)
          const migration = await applyMigration(failing, after, refuse).catch((error: unknown) => error)
          if (!(migration instanceof InjectedFailure)) break
          expect(await contents(database, before)).toEqual(content)
          expect(await migrated(database, before)).toMatchObject({ ok: true, changes: [], diagnostics: [] })
        }
        expect(failed).toBeGreaterThan(15)
        expect(await contentOf(database, table('a', { x: 'integer', y: 'text', w: 'json' }))).toEqual({
          id: [1],
          x: [1],
          y: ['2'],
          w: [null],
        })
      }))

    test('whatever the layouts, there and back again keeps what must be kept', () =>
      fc.assert(
        fc.asyncProperty(scenarios, async ({ first, second, rows }) => {
          const database = await open()
          try {
            expect((await migrated(database, first)).ok).toBe(true)
            for (const [into, values] of rows) await insert(database, into, values)
            const before = await contents(database, first)
            const there = await migrated(database, second)
            if (!there.ok) {
              expect(await contents(database, first)).toEqual(before)
              return
            }
            for (const [into, content] of Object.entries(await contents(database, second))) {
              for (const [column, values] of Object.entries(content)) {
                expectKept(first, second, into, column, before[into]?.[column], values)
              }
            }
            const back = await migrated(database, first)
            if (!back.ok) return
            for (const [into, content] of Object.entries(await contents(database, first))) {
              for (const [column, values] of Object.entries(content)) {
                const changed = typeIn(second, into, column)
                const own = before[into]?.[column]
                if (changed === undefined || changed === typeIn(first, into, column))
                  expect(values).toEqual(own)
                else expect(values.map(isNull)).toEqual(own?.map(isNull))
              }
            }
            expect((await migrated(database, first)).changes).toEqual([])
          } finally {
            await database.close()
          }
        }),
        { numRuns },
      ))
  })
}

class InjectedFailure extends Error {}

/** The database itself, but for the step of a transaction that fails. */
function failingAt(database: Database, failing: number): Database {
  return {
    ...observeStatements(database, () => undefined),
    transaction: (work) =>
      database.transaction(function* () {
        const steps = work()
        let next = steps.next()
        for (let number = 0; !next.done; number++) {
          if (number === failing) throw new InjectedFailure()
          next = steps.next(yield next.value)
        }
        return next.value
      }),
  }
}

function isNull(value: unknown): boolean {
  return value === null
}

function typeIn(of: Layout, into: string, column: string): ColumnType | undefined {
  return of.tables.get(into)?.columns.find(({ name }) => name === column)?.type
}

/** Same type: same values. Another type: as many values. New column: none. */
function expectKept(
  first: Layout,
  second: Layout,
  into: string,
  column: string,
  before: readonly unknown[] | undefined,
  values: readonly unknown[],
): void {
  const was = typeIn(first, into, column)
  if (was === undefined) expect(values.every(isNull)).toBe(true)
  else if (was === typeIn(second, into, column)) expect(values).toEqual(before)
  else expect(values.map(isNull)).toEqual(before?.map(isNull))
}

/** The next start finishes it there: `test/durability` stops and kills migrations. */
function skipWithoutUndo({ skip }: TestContext, { dialect }: Database): void {
  skip(!dialect.undoesDefinitions, 'this database cannot undo tables')
}
