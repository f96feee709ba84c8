// Tables, layouts and rows for the tests of migrations.

import { sql } from 'kysely'
import { expect } from 'vitest'
import type { PlanValue } from '../../../src/plan/read-plan.ts'
import { type Database, run } from '../../../src/storage/database.ts'
import {
  applyMigration,
  type Migration,
  type MigrationOptions,
  planMigration,
} from '../../../src/storage/migrate.ts'
import { createCompiler } from '../../../src/storage/sql/kysely-compiler.ts'
import type { Column, ColumnType, Index, Layout, Table } from '../../../src/storage/sql/layout.ts'

const ID: Column = { name: 'id', type: 'id', nullable: false, origin: undefined }
/** What is gone stays, hidden. */
export const refuse: MigrationOptions = {
  destructive: 'refuse',
  buildPath: (origin) => ['contentTypes', ...origin.split('.')],
}
/** What is gone may be dropped. */
export const apply: MigrationOptions = { ...refuse, destructive: 'apply' }

type Columns = Readonly<Record<string, ColumnType>>

/** A table of these columns; `unique` ones have an index. */
export function table(name: string, columns: Columns, unique: readonly string[] = []): Table {
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

/** The join table of a relation. */
export function links(source: string, target: string, ordered = false): Table {
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

/** A layout of these tables. */
export function layout(...tables: readonly Table[]): Layout {
  return { tables: new Map(tables.map((each) => [each.name, each])) }
}

/** Stores one row. */
export async function insert(
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
export async function contentOf(
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

/** What a migration said, shortly. */
export function codes(migration: Migration): readonly string[] {
  return migration.diagnostics.map(({ code }) => code)
}

/** The content of all tables, by name. */
export async function contents(
  database: Database,
  of: Layout,
): Promise<Readonly<Record<string, Awaited<ReturnType<typeof contentOf>>>>> {
  const all: Record<string, Awaited<ReturnType<typeof contentOf>>> = {}
  for (const each of of.tables.values()) all[each.name] = await contentOf(database, each)
  return all
}

/** Gives a fresh database to a test, and closes it. */
export function withDatabase(open: () => Promise<Database>) {
  return async (check: (database: Database) => Promise<void>): Promise<void> => {
    const database = await open()
    try {
      await check(database)
    } finally {
      await database.close()
    }
  }
}

/** Plans, applies, and compares the two: trying out says what doing says, and has changed nothing. */
export async function migrated(
  database: Database,
  after: Layout,
  options: MigrationOptions = refuse,
): Promise<Migration> {
  const planned = await planMigration(database, after, options)
  const applied = await applyMigration(database, after, options)
  expect({ ...planned, hidden: [] }).toEqual(applied)
  return applied
}
