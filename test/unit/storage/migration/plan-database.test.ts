import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkConfig } from '../../../../src/app/check-config.ts'
import { type Database, run } from '../../../../src/storage/database.ts'
import { applyMigration } from '../../../../src/storage/migrate.ts'
import { createMigrationOptions } from '../../../../src/storage/migration/migration-options.ts'
import { planOn } from '../../../../src/storage/migration/plan-database.ts'
import { openDatabase } from '../../../../src/storage/open-database.ts'
import { buildLayout } from '../../../../src/storage/sql/build-layout.ts'
import { databaseConfig } from '../../../contract/database/database-config.ts'

let database: Database
beforeEach(async () => {
  database = await openDatabase(databaseConfig('memory'), '.')
})
afterEach(() => database.close())

async function checked(contentTypes: object, destructive = 'refuse') {
  const object = {
    database: { migrations: { destructive } },
    plugins: { upload: false, 'users-permissions': false },
    contentTypes,
  }
  const { config, model } = await checkConfig({ object }, { env: {} })
  if (config === undefined || model === undefined) throw new Error('the configuration is not right')
  return { config, model }
}

async function started(contentTypes: object): Promise<void> {
  const { config, model } = await checked(contentTypes)
  expect((await applyMigration(database, buildLayout(model), createMigrationOptions(config, model))).ok).toBe(
    true,
  )
}

async function sql(text: string): Promise<void> {
  await database.transaction(() => run({ text, returns: false }, []))
}

async function planned(contentTypes: object, destructive = 'refuse') {
  const { config, model } = await checked(contentTypes, destructive)
  const { outcome, changes, diagnostics, foreignTables } = await planOn(database, config, model)
  return {
    outcome,
    lines: changes.map(({ mark, text, destructive: marked }) => `${marked ? '!' : ' '}${mark} ${text}`),
    said: diagnostics.map(({ code, message }) => `${code} ${message}`),
    foreignTables,
  }
}

const note = { note: { attributes: { title: 'string', rank: 'string', old: 'text' } } }
const fill = () => sql("insert into notes (title, rank, old) values ('a', '1', 'x'), ('b', '2', null)")

test('of an empty database, everything is new', async () => {
  const plan = await planned(note)
  expect(plan).toMatchObject({ outcome: 'changes', lines: [' + table notes'], said: [] })
})

test('of the same configuration, nothing', async () => {
  await started(note)
  expect(await planned(note)).toEqual({ outcome: 'none', lines: [], said: [], foreignTables: [] })
})

const changed = {
  note: {
    attributes: {
      headline: { type: 'string', renamedFrom: 'title' },
      rank: { type: 'integer', unique: true },
      extra: 'json',
    },
  },
}

test('what is added, renamed, converted and hidden, with how much it is about', async () => {
  await started(note)
  await fill()
  expect(await planned(changed)).toMatchObject({
    outcome: 'changes',
    lines: [
      ' ~ column notes.title is renamed to headline with 2 values',
      ' ~ column notes.rank from text to integer, 2 values',
      ' + column notes.extra (json)',
      ' - column notes.old is hidden, 1 value stays in the database',
      ' + rank of notes must be unique',
    ],
  })
  expect(await planned(changed)).toEqual(await planned(changed))
})

test('under destructive: apply, what goes for good is marked, with what waited for it', async () => {
  await started(note)
  await fill()
  await started({ note: { attributes: { title: 'string' } } })
  const plan = await planned({ tag: { attributes: { name: 'string' } } }, 'apply')
  expect(plan).toMatchObject({
    outcome: 'destructive',
    lines: [' + table tags', '!- table notes is dropped with 2 rows'],
  })
  expect(await planned({ note: { attributes: { rank: 'string' } } }, 'apply')).toMatchObject({
    outcome: 'destructive',
    lines: [
      ' + column notes.rank shows 2 values again',
      '!- column notes.title is dropped with 2 values',
      '!- column notes.old, hidden by an earlier change, is dropped with 1 value',
    ],
  })
})

test('what would be lost is refused', async () => {
  await started(note)
  await fill()
  await sql("insert into notes (rank) values ('first')")
  expect(await planned(changed)).toMatchObject({
    outcome: 'refused',
    lines: [],
    said: ['DBS002 api::note.note.rank cannot become integer: 1 value would be lost (entry 3)'],
  })
})

test('drift is told, all of it, and tables of others are left alone', async () => {
  await started({ ...note, tag: { attributes: { name: 'string' } } })
  await sql('alter table notes add column more text')
  await sql('alter table notes drop column old')
  await sql('drop table tags')
  await sql('create table audit (id integer)')
  const was = 'DBS009 something other than cms-run changed the database: its'
  expect(await planned(note)).toEqual({
    outcome: 'refused',
    lines: [],
    said: [
      `${was} column notes.old is missing`,
      `${was} table notes has other columns: more`,
      `${was} table tags is missing`,
    ],
    foreignTables: ['audit'],
  })
})
