// What a migration must do on every database: each `*.test.ts` beside this file runs it over one of them.

import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Database, run } from '../../../src/databases/database.ts'
import {
  applyMigration,
  contractDatabase,
  type Migration,
  type MigrationOptions,
  planMigration,
} from '../../../src/databases/migrate.ts'
import type { PlanValue } from '../../../src/plan/read-plan.ts'
import { createCompiler } from '../../../src/sql/kysely-compiler.ts'
import type { Column, ColumnType, Index, Layout, Table } from '../../../src/sql/layout.ts'
import { sqlOf } from './sql-text.ts'

const ID: Column = { name: 'id', type: 'id', nullable: false, origin: undefined }
const refuse: MigrationOptions = {
  destructive: 'refuse',
  pathOf: (origin) => ['contentTypes', ...origin.split('.')],
}
const apply: MigrationOptions = { ...refuse, destructive: 'apply' }

type Columns = Readonly<Record<string, ColumnType>>

function table(name: string, columns: Columns, unique: readonly string[] = []): Table {
  return {
    name,
    columns: [
      ID,
      ...Object.entries(columns).map(
        ([column, type]): Column => ({ name: column, type, nullable: true, origin: `${name}.${column}` }),
      ),
    ],
    indexes: unique.map(
      (column): Index => ({ name: `${name}_${column}_unique`, columns: [column], unique: true }),
    ),
  }
}

function links(source: string, target: string, ordered = false): Table {
  const reference = (name: string, references: string): Column => ({
    name,
    type: 'reference',
    nullable: false,
    origin: `${source}.relation`,
    references,
  })
  const order: Column = { name: 'target_order', type: 'order', nullable: false, origin: undefined }
  return {
    name: 'links',
    columns: [
      ID,
      reference('source_id', source),
      reference('target_id', target),
      ...(ordered ? [order] : []),
    ],
    indexes: [
      { name: 'links_source_id_index', columns: ['source_id'], unique: false },
      { name: 'links_both_unique', columns: ['source_id', 'target_id'], unique: true },
    ],
  }
}

function layout(...tables: readonly Table[]): Layout {
  return { tables: new Map(tables.map((each) => [each.name, each])) }
}

async function insert(
  database: Database,
  into: Table,
  row: Readonly<Record<string, PlanValue>>,
): Promise<void> {
  const { dialect } = database
  const columns = into.columns.filter(({ name }) => name in row)
  const names = columns.map(({ name }) => sql.ref(name))
  const values = columns.map(({ type }) => dialect.bind(type, sql`${null}`))
  const { text } = createCompiler(dialect)(
    sql`insert into ${sql.table(into.name)} (${sql.join(names)}) values (${sql.join(values)})`,
  )
  await database.transaction(() =>
    run(
      { text, returns: false },
      columns.map(({ name, type }) => dialect.encode(type, row[name] ?? null)),
    ),
  )
}

/** Each column of the table by name, in the order of ids. */
async function contentOf(
  database: Database,
  of: Table,
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const { dialect } = database
  const selected = of.columns.map(({ name, type }) => dialect.select(type, sql.ref(name)))
  const { text } = createCompiler(dialect)(
    sql`select ${sql.join(selected)} from ${sql.table(of.name)} order by id`,
  )
  const rows = await database.read(() => run({ text, returns: true }, []))
  return Object.fromEntries(of.columns.map(({ name }, index) => [name, rows.map((row) => row[index])]))
}

function codes(migration: Migration): readonly string[] {
  return migration.diagnostics.map(({ code }) => code)
}

/** Opens an empty database for each test, which closes it. */
export function runMigrationContract(name: string, open: () => Promise<Database>): void {
  async function opened(check: (database: Database) => Promise<void>): Promise<void> {
    const database = await open()
    try {
      await check(database)
    } finally {
      await database.close()
    }
  }

  async function migrated(database: Database, after: Layout, options = refuse): Promise<Migration> {
    const planned = await planMigration(database, after, options)
    const applied = await applyMigration(database, after, options)
    // Trying out says what doing says, and has changed nothing.
    expect(planned).toEqual(applied)
    return applied
  }

  describe(`${name}: migrations`, () => {
    test('create what is missing, once', () =>
      opened(async (database) => {
        const after = layout(table('a', { x: 'text' }, ['x']))
        expect((await migrated(database, after)).changes).toHaveLength(2)
        expect(await migrated(database, after)).toEqual({ ok: true, changes: [], diagnostics: [] })
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
        expect(await migrated(database, layout(before))).toEqual({ ok: true, changes: [], diagnostics: [] })
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

    test('a database that holds something else is left alone', () =>
      opened(async (database) => {
        await database.transaction(() => run(sqlOf(database.dialect)`create table a (id integer)`, []))
        const migration = await migrated(database, layout(table('a', { x: 'text' })))
        expect(migration).toMatchObject({
          ok: false,
          diagnostics: [
            {
              code: 'DBS009',
              message: 'the database was not left like this by cms-run: it has a table a already',
            },
          ],
        })
      }))

    for (const [what, change, message] of [
      ['a table is gone', 'drop table a', 'its table a is missing'],
      ['a column is gone', 'alter table a drop column x', 'its column a.x is missing'],
      ['a column came', 'alter table a add column more text', 'its table a has other columns'],
      [
        'the layout is nonsense',
        `update cms_run_layout set layout = '{"version":7}'`,
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
              { code: 'DBS009', message: `the database was not left like this by cms-run: ${message}` },
            ],
          })
        }))
    }

    test('the name of its own table is reserved', () =>
      opened(async (database) => {
        expect(codes(await migrated(database, layout(table('cms_run_layout', {}))))).toEqual(['DBS012'])
      }))

    test('a failure in the middle leaves everything as it was', () =>
      opened(async (database) => {
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
        expect(await migrated(database, layout(before))).toEqual({ ok: true, changes: [], diagnostics: [] })
      }))

    test('a failure at any step leaves everything as it was', () =>
      opened(async (database) => {
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
          expect(await migrated(database, before)).toEqual({ ok: true, changes: [], diagnostics: [] })
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
        { numRuns: 150 },
      ))
  })

  async function contents(
    database: Database,
    of: Layout,
  ): Promise<Readonly<Record<string, Awaited<ReturnType<typeof contentOf>>>>> {
    const all: Record<string, Awaited<ReturnType<typeof contentOf>>> = {}
    for (const each of of.tables.values()) all[each.name] = await contentOf(database, each)
    return all
  }
}

class InjectedFailure extends Error {}

/** The database itself, but for the step of a transaction that fails. */
function failingAt(database: Database, failing: number): Database {
  return {
    dialect: database.dialect,
    durable: database.durable,
    read: (work) => database.read(work),
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
    close: () => database.close(),
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

const storable: Readonly<Partial<Record<ColumnType, fc.Arbitrary<PlanValue>>>> = {
  text: fc.oneof(
    fc.constantFrom('', '1', '-7', '007', 'true', '1.50', '2024-01-02', '[]', 'x', '9007199254740993'),
    fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
  ),
  integer: fc.oneof(fc.constantFrom(0, 1), fc.maxSafeInteger()),
  biginteger: fc.oneof(
    fc.bigInt({ min: -3n, max: 3n }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  ),
  float: fc.oneof(
    fc.constantFrom(0, 1, 2.5),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  ),
  boolean: fc.boolean(),
  date: fc.constantFrom('2024-02-29', '1999-12-31'),
  datetime: fc.oneof(fc.constantFrom(0, 86_400_000), fc.integer({ min: -1e12, max: 4e12 })),
  json: fc.oneof(fc.constantFrom('1', 'true', '"x"'), fc.json()),
}

const types = Object.keys(storable) as ColumnType[]

const tables = (name: string) =>
  fc
    .record({
      x: fc.option(fc.constantFrom(...types), { nil: undefined }),
      y: fc.option(fc.constantFrom(...types), { nil: undefined }),
      unique: fc.boolean(),
    })
    .map(({ x, y, unique }) =>
      table(
        name,
        { ...(x !== undefined && { x }), ...(y !== undefined && { y }) },
        unique && x !== undefined ? ['x'] : [],
      ),
    )

const layouts = fc
  .record({
    a: tables('a'),
    b: fc.option(tables('b'), { nil: undefined }),
    linked: fc.boolean(),
    ordered: fc.boolean(),
  })
  .map(({ a, b, linked, ordered }) => {
    if (b === undefined) return layout(a)
    return linked ? layout(a, b, links('a', 'b', ordered)) : layout(a, b)
  })

const scenarios = fc.tuple(layouts, layouts).chain(([first, second]) => {
  const filled = [...first.tables.values()].filter(({ name }) => name !== 'links')
  const rowsOf = (into: Table) => {
    const values = Object.fromEntries(
      into.columns.flatMap(({ name, type }) => {
        const arbitrary = storable[type]
        return arbitrary === undefined ? [] : [[name, fc.option(arbitrary)]]
      }),
    )
    return fc
      .array(fc.record(values), { maxLength: 4 })
      .map((rows) => distinct(into, rows).map((row) => [into, row] as const))
  }
  return fc.tuple(...filled.map(rowsOf)).map((rows) => ({ first, second, rows: rows.flat() }))
})

/** Rows that the table's unique index takes, each with an id. */
function distinct(
  into: Table,
  rows: readonly Readonly<Record<string, PlanValue>>[],
): readonly Readonly<Record<string, PlanValue>>[] {
  const seen = new Set<unknown>()
  const unique = into.indexes[0]?.columns[0]
  return rows
    .filter((row) => {
      const value = unique === undefined ? undefined : row[unique]
      if (value === undefined || value === null) return true
      const fresh = !seen.has(value)
      seen.add(value)
      return fresh
    })
    .map((row, index) => ({ id: index + 1, ...row }))
}
