// In memory, indexes of numbers and moments are created by the first list that asks for them; answers are the same before
// and after, beside snapshots and edits of the file.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import initSqlJs from 'sql.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const ENTRIES = 300

/** JSON is YAML, too. */
const configWith = (
  attributes: Readonly<Record<string, unknown>>,
  rows: number,
  valuesOf = (views: number): Readonly<Record<string, unknown>> => ({ views }),
): string =>
  JSON.stringify({
    rest: { cache: 0 },
    contentTypes: {
      note: { options: { draftAndPublish: true }, attributes: { title: 'string', ...attributes } },
      shelf: {
        attributes: {
          height: 'integer',
          notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'shelf' },
        },
      },
    },
    auth: { roles: { public: { permissions: ['*.*'] } } },
    data: {
      shelf: [{ id: 1, height: 3 }],
      note: Array.from({ length: rows }, (_, at) => ({
        id: at + 1,
        title: `Note ${at + 1}`,
        ...valuesOf((at * 37) % 100),
        day: `2024-01-${String((at % 28) + 1).padStart(2, '0')}`,
        shelf: 1,
      })),
    },
  })
const SHELF = { type: 'relation', relation: 'manyToOne', target: 'api::shelf.shelf', inversedBy: 'notes' }
const ALL = { views: 'integer', day: 'date', shelf: SHELF }

let SQL: Awaited<ReturnType<typeof initSqlJs>>
let file: string
let cms: Cms

beforeEach(async () => {
  SQL = await initSqlJs()
  file = join(mkdtempSync(join(tmpdir(), 'cms-run-late-')), 'cms.yaml')
  writeFileSync(file, configWith(ALL, ENTRIES))
  cms = await createCms(file, { env: {} })
})
afterEach(() => cms.close())

/** Those of notes that no declaration asks for; the database itself is whole. */
function lateIndexes(from = cms): readonly unknown[] {
  const database = new SQL.Database(Buffer.concat(from.snapshot().pages))
  expect(database.exec('pragma integrity_check')[0]?.values).toEqual([['ok']])
  const found = database.exec(
    "select name from sqlite_master where type = 'index' and tbl_name in ('notes', 'shelfs', 'shelves') order by name",
  )
  database.close()
  return (found[0]?.values ?? []).flat()
}

async function idsOf(query: string, from = cms): Promise<readonly number[]> {
  const answer = await from.fetch(`/api/notes?pagination[pageSize]=100&${query}`)
  expect(answer.status).toBe(200)
  const { data } = (await answer.json()) as { readonly data: readonly { readonly id: number }[] }
  return data.map(({ id }) => id)
}

const FILTERED = 'filters[views][$gt]=90&sort=views:desc'
const numbers = Array.from({ length: ENTRIES }, (_, at) => ({ id: at + 1, views: (at * 37) % 100 }))
const with90 = numbers.filter(({ views }) => views === 90)
const expected = numbers
  .filter(({ views }) => views > 90)
  .sort((a, b) => b.views - a.views || a.id - b.id)
  .map(({ id }) => id)

test('none before a list asks; then that of what it asks for', async () => {
  await idsOf('')
  expect(lateIndexes()).toEqual([])
  expect(await idsOf(FILTERED)).toEqual(expected)
  expect(lateIndexes()).toEqual(['notes_views_index'])
  await idsOf('filters[$or][0][day]=2024-01-02&filters[$or][1][$not][createdAt][$lt]=2020-01-01')
  expect(lateIndexes()).toContain('notes_day_index')
  expect(await idsOf(FILTERED)).toEqual(expected)
})

test('none for few entries', async () => {
  writeFileSync(file, configWith(ALL, 20))
  await using few = await createCms(file, { env: {} })
  await idsOf(FILTERED, few)
  expect(lateIndexes(few)).toEqual([])
})

test('snapshots of before and after are put back in any order', async () => {
  const before = cms.snapshot()
  await idsOf(FILTERED)
  const withViews = cms.snapshot()
  cms.restore(before)
  expect(lateIndexes()).toEqual([])
  await idsOf('sort=day')
  const withDay = cms.snapshot()
  expect(lateIndexes()).toEqual(['notes_day_index'])
  for (const [snapshot, indexes] of [
    [withViews, ['notes_views_index']],
    [withDay, ['notes_day_index', 'notes_views_index']],
    [before, ['notes_views_index']],
  ] as const) {
    cms.restore(snapshot)
    expect(await idsOf(FILTERED)).toEqual(expected)
    expect(lateIndexes()).toEqual(indexes)
  }
})

test('a fork has those of before, and makes its own', async () => {
  await idsOf(FILTERED)
  await using fork = await cms.fork()
  await idsOf('sort=day', fork)
  expect(lateIndexes(fork)).toEqual(['notes_day_index', 'notes_views_index'])
  expect(lateIndexes()).toEqual(['notes_views_index'])
})

test.each([
  ['taken away', {}, () => ({}), 'sort=id', numbers],
  [
    'of another type',
    { views: 'string' },
    (views: number) => ({ views: `${views}` }),
    'filters[views]=90',
    with90,
  ],
  [
    'renamed',
    { seen: { type: 'integer', renamedFrom: 'views' } },
    (seen: number) => ({ seen }),
    'filters[seen]=90',
    with90,
  ],
])('an edit takes an attribute with such an index: %s', async (_, attributes, valuesOf, query, found) => {
  await idsOf(FILTERED)
  writeFileSync(file, configWith({ ...attributes, day: 'date', shelf: SHELF }, ENTRIES, valuesOf))
  await cms.reload()
  expect(await idsOf(query)).toEqual(found.slice(0, 100).map(({ id }) => id))
  await idsOf('sort=createdAt')
  expect(lateIndexes()).toContain('notes_created_at_index')
  expect(lateIndexes()).not.toContain('notes_views_index')
})
