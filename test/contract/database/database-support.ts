// Two tables for the contract of databases, and the smallest things to do with them.

import { type Database, run, runEach, type Work } from '../../../src/storage/database.ts'
import type { Column, ColumnType, Table } from '../../../src/storage/sql/layout.ts'
import { createDdl } from '../../../src/storage/sql/migrations/ddl.ts'
import type { SqlRow, SqlValue } from '../../../src/storage/sql/statement.ts'
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

/** Gives a fresh database with the tables to a test, and closes it. */
export function withTablesIn(open: () => Promise<Database>) {
  return async (check: (database: Database) => Promise<void> | void): Promise<void> => {
    const database = await open()
    try {
      const ddl = createDdl(database.dialect)
      await database.transaction(function* () {
        for (const table of [authors, links]) {
          yield* run(ddl.createTable(table), [])
          for (const index of table.indexes) yield* runEach(ddl.createIndex(table, index))
        }
      })
      await check(database)
    } finally {
      await database.close()
    }
  }
}

/** Stores an author and answers its id. */
export function* insert(
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

/** All authors' names. */
export function names(database: Database): readonly SqlRow[] | Promise<readonly SqlRow[]> {
  return database.read(() => run(sqlOf(database.dialect)`select name from authors order by id`, []))
}

/** What the task throws, or undefined. */
export async function failure(task: () => unknown): Promise<unknown> {
  try {
    await task()
  } catch (error) {
    return error
  }
  return undefined
}
