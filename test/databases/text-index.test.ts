// Indexes of texts through everything that happens to tables: edits of the file, renames, hidden attributes and types,
// archives, undone transactions. What is found is always what the stored texts contain.

import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DatabaseConfig } from '../../src/config/config.ts'
import { type Cms, ConfigError, createCms } from '../../src/index.ts'
import { exportArchive } from '../../src/storage/archive/export-archive.ts'
import { importArchive } from '../../src/storage/archive/import-archive.ts'
import { type Database, run } from '../../src/storage/database.ts'
import { statement } from '../../src/storage/sql/statement.ts'
import { lastingClients, newDatabase, opened } from '../archive/databases-here.ts'
import { newFolder } from '../archive/in-file.ts'

const indexed = { type: 'string', index: 'text' }
const drops = { migrations: { destructive: 'apply' as const } }

function start(database: DatabaseConfig, contentTypes: object, more: object = {}): Promise<Cms> {
  const types = { keeper: { attributes: { name: 'string' } }, ...contentTypes }
  const roles = { public: { permissions: ['*.find', '*.create'] } }
  return createCms(
    { contentTypes: types, auth: { roles } },
    { env: {}, database: { ...database, ...more } as never },
  )
}

async function found(cms: Cms, path: string, attribute: string, term: string): Promise<unknown[]> {
  const response = await cms.fetch(
    `/api/${path}?filters[${attribute}][$containsi]=${encodeURIComponent(term)}`,
  )
  const { data, error } = (await response.json()) as {
    data: { attributes: Record<string, unknown> }[]
    error?: unknown
  }
  expect(error).toBeUndefined()
  return data.map(({ attributes }) => attributes[attribute])
}

const PARTS: Readonly<Record<string, string>> = {
  sqlite:
    "select name from sqlite_schema where name like 'cms_run_text%' and (sql like 'create virtual%' or type = 'trigger') order by name",
  postgres:
    "select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'i' and relname like 'cms_run_text%' order by 1",
  // It has none: an index of words does not find parts of them.
  mysql:
    "select index_name from information_schema.statistics where table_schema = database() and index_name like 'cms_run_text%'",
}

/** Everything that an index of texts has in the database. */
async function partsOf(database: Database): Promise<readonly string[]> {
  const rows = await database.read(() => run(statement(PARTS[database.dialect.name] ?? '', true), []))
  return rows.map(([name]) => String(name))
}

async function inDatabase<T>(config: DatabaseConfig, task: (database: Database) => Promise<T>): Promise<T> {
  const database = await opened(config)
  try {
    return await task(database)
  } finally {
    await database.close()
  }
}

for (const client of lastingClients) {
  describe(client, () => {
    const whole = (name: string) =>
      client === 'sqlite'
        ? [name, ...['delete', 'insert', 'update'].map((when) => `${name}_${when}`)]
        : [name]

    test('edits of the file', { timeout: 60_000 }, async () => {
      const config = await newDatabase(client)
      const titles = ['The Quick fox', 'a lazy DOG', null, '100%_\\x "quoted"', 'ÉÀ 😀😀😀 k']
      const edits: readonly (readonly [
        what: string,
        types: object,
        path: string,
        attribute: string,
        index: string | undefined,
      ])[] = [
        ['without', { article: { attributes: { title: 'string' } } }, 'articles', 'title', undefined],
        [
          'added',
          { article: { attributes: { title: indexed } } },
          'articles',
          'title',
          'cms_run_text_articles_title',
        ],
        [
          'attribute renamed',
          { article: { attributes: { head: { ...indexed, renamedFrom: 'title' } } } },
          'articles',
          'head',
          'cms_run_text_articles_head',
        ],
        [
          'type renamed',
          { post: { renamedFrom: 'article', attributes: { head: indexed } } },
          'posts',
          'head',
          'cms_run_text_posts_head',
        ],
        [
          'both',
          { note: { renamedFrom: 'post', attributes: { line: { ...indexed, renamedFrom: 'head' } } } },
          'notes',
          'line',
          'cms_run_text_notes_line',
        ],
        ['taken out', { note: { attributes: { line: 'text' } } }, 'notes', 'line', undefined],
        [
          'at the type',
          { note: { index: [{ text: ['line'] }], attributes: { line: 'text' } } },
          'notes',
          'line',
          'cms_run_text_notes_line',
        ],
        ['attribute hidden', { note: { attributes: { other: 'string' } } }, 'notes', 'other', undefined],
        [
          'attribute shown',
          { note: { attributes: { line: indexed } } },
          'notes',
          'line',
          'cms_run_text_notes_line',
        ],
        ['type hidden', {}, '', '', 'cms_run_text_notes_line'],
        [
          'type shown',
          { note: { attributes: { line: indexed } } },
          'notes',
          'line',
          'cms_run_text_notes_line',
        ],
      ]
      const stored: (string | null)[] = []
      for (const [what, types, path, attribute, index] of edits) {
        const cms = await start(config, types)
        if (path !== '' && attribute !== 'other') {
          const entries = cms.entries(Object.keys(types)[0] ?? '')
          for (const title of stored.length === 0 ? titles : [`then ${what} QUICK`]) {
            await entries.create({ [attribute]: title })
            stored.push(title)
          }
          const [first] = await entries.findMany()
          if (first === undefined) throw new Error('no entry')
          stored[0] = `The Quick fox, ${what}`
          await entries.update(first.id, { [attribute]: stored[0] })
          for (const term of ['quick', 'DOG', 'og', '%_\\', '"quo', '😀😀😀', what, 'nothing', 'tHe q'])
            expect(await found(cms, path, attribute, term), `${what}: ${term}`).toEqual(
              stored.filter((text) => text?.toLowerCase().includes(term.toLowerCase())),
            )
        }
        await cms.close()
        await inDatabase(config, async (database) => {
          expect(await partsOf(database), what).toEqual(
            index === undefined || client === 'mysql' ? [] : whole(index),
          )
        })
      }
      await (await start(config, {}, drops)).close()
      await inDatabase(config, async (database) => expect(await partsOf(database)).toEqual([]))
    })

    test('numbers that become texts', { timeout: 60_000 }, async () => {
      const config = await newDatabase(client)
      const types = (code: unknown) => ({ item: { attributes: { code } } })
      let cms = await start(config, types('integer'))
      for (const code of [12345, 99]) await cms.entries('item').create({ code })
      await cms.close()
      cms = await start(config, types(indexed))
      expect(await found(cms, 'items', 'code', '234')).toEqual(['12345'])
      await cms.close()
    })

    test('an archive of it makes it again', { timeout: 60_000 }, async () => {
      const types = { article: { attributes: { title: indexed } } }
      const from = await newDatabase(client)
      const cms = await start(from, types)
      for (const title of ['a needle', 'hay']) await cms.entries('article').create({ title })
      await cms.close()
      const archive = join(newFolder(), 'all.tar.gz')
      await inDatabase(from, (database) =>
        exportArchive({ database, files: undefined, to: archive, version: '1.2.3', now: new Date() }),
      )
      for (const other of lastingClients) {
        const to = await newDatabase(other)
        // Twice: the second import replaces what the first has made.
        for (const replace of [false, true])
          await inDatabase(to, (database) => importArchive({ archive, database, files: undefined, replace }))
        const there = await start(to, types)
        await there.entries('article').create({ title: 'another needle' })
        expect(await found(there, 'articles', 'title', 'NEEDLE')).toEqual(['a needle', 'another needle'])
        await there.close()
      }
    })

    test('a write that is undone leaves nothing in it', { timeout: 60_000 }, async () => {
      const cms = await start(await newDatabase(client), {
        article: { attributes: { title: indexed, code: { type: 'string', unique: true } } },
      })
      onTestFinished(() => cms.close())
      const articles = cms.entries('article')
      await articles.create({ title: 'first words', code: 'a' })
      await expect(articles.create({ title: 'second words', code: 'a' })).rejects.toThrow('unique')
      await articles.create({ title: 'third words', code: 'b' })
      expect(await found(cms, 'articles', 'title', 'words')).toEqual(['first words', 'third words'])
    })
  })
}

test('an index without its triggers is drift', async () => {
  const config = await newDatabase('sqlite')
  const types = { article: { attributes: { title: indexed } } }
  await (await start(config, types)).close()
  await inDatabase(config, async (database) => {
    await database.transaction(() =>
      run(statement('drop trigger cms_run_text_articles_title_update', false), []),
    )
  })
  const failure = await start(config, types).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ConfigError)
  expect(String((failure as Error).message)).toContain(
    'its text index cms_run_text_articles_title is missing',
  )
})

test('SQLite begins with the index', async () => {
  const config = await newDatabase('sqlite')
  await (
    await start(config, {
      article: {
        options: { draftAndPublish: true },
        index: [{ text: ['title', 'body'] }],
        attributes: { title: 'string', body: 'text' },
      },
    })
  ).close()
  await inDatabase(config, async (database) => {
    const condition = (column: string) =>
      `(t1.id in (select rowid from cms_run_text_articles_${column} where cms_run_text_articles_${column} match ?) and instr(lower(t1.${column}), lower(?)) > 0)`
    for (const [where, values] of [
      [condition('title'), ['"abc"', 'abc']],
      [
        `published_at is not null and (${condition('title')} or ${condition('body')})`,
        ['"abc"', 'abc', '"abc"', 'abc'],
      ],
    ] as const) {
      const rows = await database.read(() =>
        run(
          statement(
            `explain query plan select id from articles as t1 where ${where} order by id limit 25`,
            true,
          ),
          values,
        ),
      )
      expect(rows.map((row) => row[3]).join('\n')).not.toContain('SCAN t1')
    }
  })
})

test('a word that most entries contain is looked for in all of them, and found as well', async () => {
  const config = await newDatabase('sqlite')
  const types = { article: { attributes: { title: indexed, body: indexed } } }
  await (await start(config, types)).close()
  await inDatabase(config, async (database) => {
    const fill =
      "insert into articles (title, body) with recursive n (i) as (select 1 union all select i + 1 from n where i < 10100) select 'common ' || i, case when i = 7 then 'rare' end from n"
    await database.transaction(() => run(statement(fill, false), []))
  })
  const cms = await start(config, types)
  onTestFinished(() => cms.close())
  const ask = async (query: string) => {
    const response = await cms.fetch(`/api/articles?${query}`)
    const { data, meta } = (await response.json()) as {
      data: { id: number }[]
      meta: { pagination: { total: number } }
    }
    return [meta.pagination.total, data[0]?.id, data.length]
  }
  expect(await ask('filters[title][$contains]=common&pagination[pageSize]=3')).toEqual([10_100, 1, 3])
  expect(await ask('filters[title][$contains]=common&filters[body][$contains]=rare')).toEqual([1, 7, 1])
  expect(await ask('_q=COMMON%2010100')).toEqual([1, 10_100, 1])
  expect(await ask('_q=rare')).toEqual([1, 7, 1])
})
