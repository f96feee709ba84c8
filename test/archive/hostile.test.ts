// Archives that are broken, or made to break something: refused with the reason, and nothing is changed.

import { execFileSync } from 'node:child_process'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { formatManifest } from '../../src/storage/archive/archive-format.ts'
import { importArchive } from '../../src/storage/archive/import-archive.ts'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { readShownLayout } from '../../src/storage/read-tables.ts'
import type { Column, Table } from '../../src/storage/sql/layout.ts'
import { contentOf, insert } from '../contract/database/migration-support.ts'
import { newDatabase, opened } from './databases-here.ts'
import { newFolder } from './in-file.ts'

type Part = readonly [name: string, content: string, more?: object]

const id: Column = { name: 'id', type: 'id', nullable: false, origin: undefined }
const notes: Table = {
  name: 'notes',
  columns: [
    id,
    { name: 'text', type: 'text', nullable: true, origin: 'api::note.note.text' },
    { name: 'day', type: 'date', nullable: true, origin: undefined },
  ],
  indexes: [{ name: 'notes_text_unique', columns: ['text'], unique: true }],
}
const links: Table = {
  name: 'links',
  columns: [
    id,
    { name: 'source_id', type: 'reference', nullable: false, origin: undefined, references: 'notes' },
  ],
  indexes: [],
}
const layout = (...tables: readonly Table[]) => ({
  tables: new Map(tables.map((table) => [table.name, table])),
})
const manifest: Part = [
  'manifest.json',
  formatManifest(layout(notes, links), '2026-01-01T00:00:00.000Z', '1.0.0'),
]
const row: Part = ['rows/notes/000001.ndjson', '[1,"a",null]\n']
const end = (rows: object, files = 0): Part => ['end.json', JSON.stringify({ rows, files })]

let folder: string
beforeEach(() => {
  folder = newFolder()
})

async function archiveOf(parts: readonly Part[]): Promise<string> {
  const file = join(folder, 'archive.tar.gz')
  const tar = pack()
  for (const [name, content, more] of parts) tar.entry({ name, ...more }, content)
  tar.finalize()
  await pipeline(tar, createGzip(), createWriteStream(file))
  return file
}

async function imported(archive: string, database?: Database, replace = false) {
  const into = database ?? (await opened(await newDatabase('memory')))
  return importArchive({ archive, database: into, files: undefined, replace })
}

const newer = manifest[1].replace(/"cmsRun": "[^"]*"/, '"cmsRun": "9.0.0"')
const cut = newer.replace('"version": 1', '"version": 2')
const newLayout = newer.replace(/("layout": \{\s*"version": )1/, '$12')
const odd = newer.replace('"version": 1', '"version": "one"')
const refused: readonly [what: string, parts: readonly Part[], says: RegExp][] = [
  ['nothing in it', [], /incomplete/],
  ['another program made it', [['metadata.json', '{}']], /not made by cms-run/],
  [
    'a newer version made it',
    [['manifest.json', cut]],
    /made with 9\.0\.0 of cms-run, and this version cannot/,
  ],
  ['a newer version made its layout', [['manifest.json', newLayout]], /made with 9\.0\.0 of cms-run/],
  ['its version is none', [['manifest.json', odd]], /manifest\.json has no version that there is/],
  ['the manifest is no JSON', [['manifest.json', '{']], /manifest\.json is not JSON/],
  [
    'the manifest has no layout',
    [['manifest.json', '{"format":"cms-run-archive","version":1}']],
    /tables look like/,
  ],
  ['no end', [manifest, row], /end is missing/],
  ['rows are missing', [manifest, row, end({ notes: 2 })], /1 of 2 rows of notes/],
  ['files are missing', [manifest, row, end({ notes: 1 }, 1)], /0 of 1 files/],
  ['something behind the end', [manifest, end({}), row], /follows the end/],
  [
    'a table that the manifest does not know',
    [manifest, ['rows/others/1.ndjson', '[1]']],
    /not a part of an archive/,
  ],
  ['a name that leads out', [manifest, ['files/../../x', 'x']], /not a valid name for an entry/],
  ['an absolute name', [manifest, ['/etc/passwd', 'x']], /not a valid name for an entry/],
  ['a file below another', [manifest, ['files/a/b', 'x']], /not a part of an archive/],
  ['a hidden file', [manifest, ['files/.htaccess', 'x']], /not a part of an archive/],
  [
    'a link',
    [manifest, ['files/a', '', { type: 'symlink', linkname: '/etc/passwd' }]],
    /is a symlink, not a file/,
  ],
  [
    'a row is no JSON',
    [manifest, ['rows/notes/1.ndjson', '[1,']],
    /rows\/notes\/1\.ndjson, line 1 is not JSON/,
  ],
  ['a row is no list', [manifest, ['rows/notes/1.ndjson', '{}']], /not a list of 3 values/],
  [
    'a row is short',
    [manifest, ['rows/notes/1.ndjson', '[1,"a",null]\n[2]\n']],
    /line 2 is not a list of 3 values/,
  ],
  ['an id is missing', [manifest, ['rows/notes/1.ndjson', '[null,"a",null]']], /"id" is no id/],
  ['an id is a text', [manifest, ['rows/notes/1.ndjson', '["1","a",null]']], /"id" is no id/],
  ['a text has a NUL', [manifest, ['rows/notes/1.ndjson', '[1,"a\\u0000",null]']], /"text" is no text/],
  ['a day that is none', [manifest, ['rows/notes/1.ndjson', '[1,"a","2023-02-29"]']], /"day" is no date/],
]

describe('refused, and nothing is changed', () => {
  test.each(refused)('%s', async (_what, parts, says) => {
    const database = await opened(await newDatabase('memory'))
    await expect(imported(await archiveOf(parts), database, true)).rejects.toThrow(says)
    expect(await readShownLayout(database)).toBeUndefined()
  })

  const odd: readonly [what: string, table: Table, says: RegExp][] = [
    ['a name that is no identifier', { ...notes, name: 'a"; drop table x; --' }, /not a name of a table/],
    ['a name of the runtime', { ...notes, name: 'cms_run_layout' }, /cms_run_layout is reserved/],
    ['a name of the database', { ...notes, name: 'sqlite_master' }, /sqlite_master is reserved/],
    ['no ids', { ...notes, columns: notes.columns.slice(1) }, /table notes has no ids/],
    [
      'a column twice',
      { ...notes, columns: [...notes.columns, ...notes.columns] },
      /columns that are not valid/,
    ],
    [
      'an index on nothing',
      { ...notes, indexes: [{ name: 'i', columns: ['x'], unique: false }] },
      /does not have/,
    ],
    ['a reference to nothing', { ...links, name: 'l' }, /refers to notes, which is not there/],
  ]
  test.each(odd)('a table with %s', async (_what, table, says) => {
    const made: Part = ['manifest.json', formatManifest(layout(table), '', '1.0.0')]
    await expect(imported(await archiveOf([made]))).rejects.toThrow(says)
  })

  test('two tables that a database takes for one', async () => {
    const database = await opened(await newDatabase('sqlite'))
    const made = formatManifest(layout(notes, { ...notes, name: 'Notes', indexes: [] }), '', '1.0.0')
    const archive = await archiveOf([['manifest.json', made], end({})])
    await expect(imported(archive, database)).rejects.toThrow(/its tables cannot be made/)
    expect(await readShownLayout(database)).toBeUndefined()
  })

  test('what is no archive, or was cut off', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, 'not an archive, but longer than any header of a tar file has to be\n'.repeat(20))
    await expect(imported(file)).rejects.toThrow(/cannot be read/)
    writeFileSync(file, gzipSync('x'.repeat(100_000)).subarray(0, 50))
    await expect(imported(file)).rejects.toThrow(/cannot be read/)
    writeFileSync(file, '')
    await expect(imported(file)).rejects.toThrow(/incomplete/)
    await expect(imported(join(folder, 'missing'))).rejects.toThrow(/there is no such file/)
    execFileSync('mkfifo', [join(folder, 'pipe')])
    await expect(imported(join(folder, 'pipe'))).rejects.toThrow(/it is not a regular file/)
  })
})

describe('a database that is not empty', () => {
  const good = [manifest, row, end({ notes: 1 })]
  const other: Part = ['rows/notes/000001.ndjson', '[7,"z",null]\n']

  test('is refused, or replaced where that is said', async () => {
    const database = await opened(await newDatabase('memory'))
    await imported(await archiveOf(good), database)
    const next = await archiveOf([manifest, other, end({ notes: 1 })])
    await expect(imported(next, database)).rejects.toThrow(
      'the database is not empty: its table notes has 1 row',
    )
    expect(await contentOf(database, notes)).toMatchObject({ id: [1] })
    await imported(next, database, true)
    expect(await contentOf(database, notes)).toMatchObject({ id: [7], text: ['z'] })
  })

  test('whose import broke off says so, and takes it again', async () => {
    const database = await opened(await newDatabase('memory'))
    const twice: Part = ['rows/notes/000001.ndjson', '[1,"a",null]\n[2,"a",null]\n']
    const contradicting = await archiveOf([manifest, twice, end({ notes: 2 })])
    await expect(imported(contradicting, database)).rejects.toThrow(/two rows of notes have the same text/)
    expect(await readShownLayout(database)).toBeUndefined()
    const dangling: Part = ['rows/links/000001.ndjson', '[1,5]\n']
    await expect(
      imported(await archiveOf([manifest, dangling, end({ links: 1 })]), database),
    ).rejects.toThrow('a row names another one that is not there (rows/links/000001.ndjson)')
    await imported(await archiveOf(good), database)
    expect(await contentOf(database, notes)).toMatchObject({ id: [1] })
  })

  test('nothing starts on a part of an archive', async () => {
    const settings = await newDatabase('sqlite')
    const database = await openDatabase(settings, '.')
    const twice: Part = ['rows/notes/000001.ndjson', '[1,"a",null]\n[2,"a",null]\n']
    await expect(imported(await archiveOf([manifest, twice, end({ notes: 2 })]), database)).rejects.toThrow()
    await database.close()
    const config = { contentTypes: { note: { attributes: { text: 'string', day: 'date' } } } }
    const started = createCms(config, { env: {}, database: settings })
    await expect(started).rejects.toThrow(/DBS015[\s\S]*was not finished[\s\S]*cms-run import/)
  })

  test('ids that came are not given again', async () => {
    const database = await opened(await newDatabase('memory'))
    await imported(await archiveOf([manifest, other, end({ notes: 1 })]), database)
    await insert(database, notes, { text: 'next' })
    expect(await contentOf(database, notes)).toMatchObject({ id: [7, 8] })
  })
})
