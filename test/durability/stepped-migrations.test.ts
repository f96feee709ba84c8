// Where a transaction does not undo tables and columns: a migration that stops anywhere is finished by the next start, each
// step is made once, and the end is what one transaction would have made. LONG=1 tries 200 random models.

import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { checkConfig } from '../../src/app/check-config.ts'
import { createCms } from '../../src/index.ts'
import { contractDatabase } from '../../src/storage/contract-database.ts'
import {
  type Database,
  OpenFailure,
  run,
  type Snapshot,
  UniqueViolation,
} from '../../src/storage/database.ts'
import { LoadRefusal, startLoading } from '../../src/storage/load-tables.ts'
import { makeTables } from '../../src/storage/make-tables.ts'
import { applyMigration, type MigrationOptions, planMigration } from '../../src/storage/migrate.ts'
import { createMigrationOptions } from '../../src/storage/migration/migration-options.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { readShownLayout } from '../../src/storage/read-tables.ts'
import { buildLayout } from '../../src/storage/sql/build-layout.ts'
import type { Layout } from '../../src/storage/sql/layout.ts'
import { column, ownTable } from '../../src/storage/sql/own-statements.ts'
import { statement } from '../../src/storage/sql/statement.ts'
import { everything as content } from '../archive/content-of-everything.ts'
import { databaseConfig } from '../contract/database/database-config.ts'
import { codes, insert, layout, refuse, table } from '../contract/database/migration-support.ts'
import { layoutOf } from '../contract/database/model-layout.ts'
import { configOf, everything, fill, type Names, steps } from '../contract/database/random-models.ts'
import { Stopped, stoppingAt, withoutUndo } from '../support/without-undo.ts'

const runs = process.env['LONG'] === '1' ? 200 : 8

type Migrate = (database: Database) => Promise<unknown>

async function open(from?: Snapshot): Promise<Database> {
  return openDatabase(databaseConfig('memory'), '.', { content: from })
}

async function stopped(task: Promise<unknown>): Promise<boolean> {
  const error = await task.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (error !== undefined && !(error instanceof Stopped)) throw error
  return error !== undefined
}

/** Stops `migrate` everywhere, and has `check` go on from there; `made` is what was committed until then. */
async function stopEverywhere(
  database: Database,
  migrate: Migrate,
  check: (made: string[], at: number) => Promise<void>,
  stride = 1,
): Promise<number> {
  const before = database.copies?.snapshot()
  if (before === undefined) throw new Error('the database is in memory')
  for (let at = 0; ; at += stride) {
    database.copies?.restore(before)
    const made: string[] = []
    if (!(await stopped(migrate(stoppingAt(database, at, made))))) {
      database.copies?.restore(before)
      return at
    }
    await check(made, at)
  }
}

/** What is there, and which statements were committed, after `migrate` on a copy without a stop. */
async function endOf(database: Database, migrate: Migrate) {
  const before = database.copies?.snapshot()
  const made: string[] = []
  await migrate(stoppingAt(database, Number.POSITIVE_INFINITY, made))
  const content = await everything(database)
  if (before !== undefined) database.copies?.restore(before)
  await migrate(database)
  expect(await everything(database)).toEqual(content)
  if (before !== undefined) database.copies?.restore(before)
  return { content, made: made.sort() }
}

/** The last of these models, and the others made and filled. */
async function begunWith(models: readonly (typeof steps extends fc.Arbitrary<infer T> ? T : never)[]) {
  const database = await open()
  let previous: Names = { types: [], attributes: [] }
  let last: { readonly layout: Layout; readonly options: MigrationOptions } | undefined
  for (const [number, step] of models.entries()) {
    const { config, names } = configOf(step, previous)
    last = {
      layout: await layoutOf(config),
      options: {
        destructive: step.destructive,
        fill: (_, { name }) => (name === 'alpha' ? '1' : undefined),
      },
    }
    if (number === models.length - 1) break
    if ((await applyMigration(database, last.layout, last.options)).ok)
      await fill(database, last.layout, step.rows)
    previous = names
  }
  if (last === undefined) throw new Error('there is no model')
  return { database, ...last }
}

test('a migration that stops anywhere is finished by the next start, each step once', {
  timeout: 3_600_000,
}, async () => {
  let stops = 0
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 3 }), fc.boolean(), async (models, fills) => {
      const { database, layout, options: all } = await begunWith(models)
      const options = fills ? all : { destructive: all.destructive }
      try {
        const plan = await planMigration(database, layout, options)
        if (!plan.ok) return
        const migrate: Migrate = async (one) => {
          expect((await applyMigration(one, layout, options)).ok).toBe(true)
          await contractDatabase(one, options)
        }
        const end = await endOf(database, migrate)
        stops += await stopEverywhere(database, migrate, async (made) => {
          const now = await planMigration(database, layout, options)
          if (!now.ok) expect(codes(now)).toEqual(['DBS038'])
          else expect([plan.changes, []]).toContainEqual(now.changes)
          await migrate(stoppingAt(database, Number.POSITIVE_INFINITY, made))
          expect(await everything(database)).toEqual(end.content)
          expect((await planMigration(database, layout, options)).changes).toEqual([])
          expect(made.sort()).toEqual(end.made)
        })
      } finally {
        await database.close()
      }
    }),
    { numRuns: runs },
  )
  expect(stops).toBeGreaterThan(runs)
})

test('the file may have changed since, and nothing else reads the tables meanwhile', {
  timeout: 600_000,
}, async () => {
  const first = table('a', { x: 'text', y: 'text' }, ['x'])
  const second = layout(table('a', { x: 'integer', z: 'text' }), table('b', { w: 'text' }))
  const third = layout(table('a', { x: 'text', y: 'text', z: 'integer' }, ['z']))
  const database = await open()
  await applyMigration(database, layout(first), refuse)
  await insert(database, first, { x: '7', y: 'seven' })
  const direct = await endOf(database, (one) => applyMigration(one, third, refuse))
  const through = await endOf(database, async (one) => {
    await applyMigration(one, second, refuse)
    await applyMigration(one, third, refuse)
  })
  const stops = await stopEverywhere(
    database,
    (one) => applyMigration(one, second, refuse),
    async () => {
      const wasBegun = !(await planMigration(database, third, refuse)).ok
      const wasDone = (await planMigration(database, second, refuse)).changes.length === 0 && !wasBegun
      if (wasBegun) {
        await expect(readShownLayout(database)).rejects.toThrow(OpenFailure)
        await expect(startLoading(database, third, true)).rejects.toThrow(LoadRefusal)
        expect(await contractDatabase(database, { destructive: 'apply' })).toEqual([])
      }
      expect((await applyMigration(withoutUndo(database), third, refuse)).ok).toBe(true)
      expect(await everything(database)).toEqual((wasBegun || wasDone ? through : direct).content)
      expect((await planMigration(database, third, refuse)).changes).toEqual([])
    },
  )
  expect(stops).toBeGreaterThan(20)
})

test('a row that breaks a unique set after it was planned leaves the set out', async () => {
  const [before, after] = [table('a', { x: 'text' }), table('a', { x: 'text', y: 'text' }, ['x'])]
  const database = await open()
  await applyMigration(database, layout(before), refuse)
  await insert(database, before, { x: 'one' })
  const meanwhile = withoutUndo(database, {
    committed: async (texts) => {
      if (texts.some((text) => text.includes('add column'))) await insert(database, before, { x: 'one' })
    },
  })
  const refused = await applyMigration(meanwhile, layout(after), refuse)
  expect([refused.ok, refused.changes, codes(refused)]).toMatchObject([
    false,
    [{ kind: 'create-index' }],
    ['DBS005'],
  ])
  await database.transaction(() => run(statement('delete from a where id = 2', false), []))
  expect(await applyMigration(withoutUndo(database), layout(after), refuse)).toMatchObject({
    ok: true,
    changes: [{ kind: 'create-index' }],
  })
  await expect(insert(database, after, { x: 'one' })).rejects.toThrow(UniqueViolation)
})

test('a unique set that turned drafts break is left out, or nothing is made', async () => {
  const [before, after] = [table('a', { x: 'text' }), table('a', { x: 'text', y: 'text' }, ['x'])]
  const drafts: MigrationOptions['drafts'] = () => ({
    choices: '',
    *plan() {
      yield* run(statement('select 1', true), [])
      return { types: [], diagnostics: [] }
    },
    *make() {
      yield* run(statement("insert into a (x) values ('one'), ('one')", false), [])
    },
  })
  const database = await open()
  await applyMigration(database, layout(before), refuse)
  for (const [one, kinds] of [
    [database, ['add-column', 'create-index']],
    [withoutUndo(database), ['create-index']],
  ] as const) {
    const refused = await applyMigration(one, layout(after), { ...refuse, drafts })
    expect([refused.ok, codes(refused)]).toEqual([false, ['DBS005']])
    expect((await planMigration(one, layout(after), refuse)).changes.map(({ kind }) => kind)).toEqual(kinds)
  }
})

test('an own table that is there is whole', async () => {
  const own = ownTable('twice', [column('x', 'text')], [{ columns: ['x'], unique: true }])
  const database = await open()
  const stops = await stopEverywhere(
    database,
    (one) => makeTables(one, [own]),
    async () => {
      await makeTables(withoutUndo(database), [own])
      await insert(database, own, { x: 'one' })
      await expect(insert(database, own, { x: 'one' })).rejects.toThrow(UniqueViolation)
      const names = await database.read(() => run(statement('select name from sqlite_schema', true), []))
      expect(names.flat()).not.toContain(`${own.name}_new`)
    },
  )
  expect(stops).toBeGreaterThan(5)
})

type Json = Record<string, unknown>
const { data, ...rest } = parse(content) as Json & { contentTypes: Record<string, Json> }

function fileOf(dialect: 'strapi-4' | 'strapi-5', drafts: unknown): Json {
  const { options: _, ...article } = rest.contentTypes['article'] ?? {}
  return { ...rest, dialect, contentTypes: { ...rest.contentTypes, article: { ...article, drafts } } }
}

async function migrationTo(object: Json) {
  const { config, model, diagnostics } = await checkConfig({ object }, { env: {} })
  if (config === undefined || model === undefined) throw new Error(JSON.stringify(diagnostics))
  return (database: Database) =>
    applyMigration(database, buildLayout(model), createMigrationOptions(config, model))
}

describe('content that only the file can move', () => {
  test.each([
    ['from strapi-4 to strapi-5', fileOf('strapi-4', true), fileOf('strapi-5', true)],
    ['from strapi-5 to strapi-4', fileOf('strapi-5', true), fileOf('strapi-4', true)],
    ['drafts on', fileOf('strapi-5', false), fileOf('strapi-5', true)],
    ['drafts off', fileOf('strapi-5', true), fileOf('strapi-5', { off: 'publish' })],
    ['both', fileOf('strapi-4', true), fileOf('strapi-5', { off: 'delete' })],
  ])('%s', { timeout: 600_000 }, async (_, before, after) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const cms = await createCms({ ...before, data } as never, { env: {}, testing: true })
    const database = await open(cms.snapshot())
    await cms.close()
    const migrate = await migrationTo(after)
    const types = after['contentTypes'] as Json
    const other = await migrationTo({
      ...after,
      contentTypes: { ...types, note: { attributes: { a: 'text' } } },
    })
    const end = await endOf(database, migrate)
    let refused = 0
    const stops = await stopEverywhere(
      database,
      migrate,
      async (made) => {
        const state = database.copies?.snapshot()
        const answer = await other(withoutUndo(database))
        if (!answer.ok) expect(codes(answer)).toEqual(['DBS038'])
        refused += answer.ok ? 0 : 1
        if (state !== undefined) database.copies?.restore(state)
        expect((await migrate(stoppingAt(database, Number.POSITIVE_INFINITY, made))).ok).toBe(true)
        expect(await everything(database)).toEqual(end.content)
        expect(made.sort()).toEqual(end.made)
      },
      runs > 100 ? 1 : 7,
    )
    expect(stops).toBeGreaterThan(20)
    expect(refused).toBeGreaterThan(1)
  })
})
