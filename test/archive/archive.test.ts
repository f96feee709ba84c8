// An archive taken from one database and put into another holds the same, whatever the two are.

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { exportArchive } from '../../src/storage/archive/export-archive.ts'
import { importArchive } from '../../src/storage/archive/import-archive.ts'
import { readTar } from '../../src/storage/archive/read-tar.ts'
import type { OpenFile, StoredFiles } from '../../src/storage/archive/stored-files.ts'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { readRows, readShownLayout } from '../../src/storage/read-tables.ts'
import { everything } from './content-of-everything.ts'
import { clients, newDatabase, opened } from './databases-here.ts'
import { filledDatabase } from './filled-database.ts'
import { inFile, newFolder } from './in-file.ts'

const now = new Date('2026-01-02T03:04:05.678Z')
const keys = ['a_1.png', 'thumbnail_a_1.png', 'b_2.txt']

function filesInMemory(): StoredFiles & { readonly held: Map<string, Buffer> } {
  const held = new Map<string, Buffer>()
  return {
    held,
    provider: 'local',
    async open(key): Promise<OpenFile | undefined> {
      const bytes = held.get(key)
      if (bytes === undefined) return undefined
      return {
        size: bytes.length,
        async *chunks() {
          for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
        },
      }
    },
    async store(key, file) {
      const pieces: Uint8Array[] = []
      for await (const piece of file.chunks()) pieces.push(piece)
      held.set(key, Buffer.concat(pieces))
      return `/uploads/${key}`
    },
    settle: async () => {},
  }
}

function exported(database: Database, files: StoredFiles | undefined, to: string) {
  return exportArchive({ database, files, to, version: '1.2.3', now })
}

async function contentOf(archive: string): Promise<ReadonlyMap<string, string>> {
  const content = new Map<string, string>()
  for await (const entry of readTar(archive)) content.set(entry.name, await entry.text(1e9))
  return content
}

describe.each(clients)('from %s', (from) => {
  test.each(clients)('to %s: every row, link, order, hash and file is the same', async (to) => {
    const folder = newFolder()
    const source = await filledDatabase(everything, await newDatabase(from))
    const files = filesInMemory()
    for (const [index, key] of keys.entries()) files.held.set(key, Buffer.alloc(5000 * index + 1, index + 1))
    const archive = join(folder, 'one.tar.gz')
    const done = await exported(source, files, archive)
    expect(done).toMatchObject({ rows: { articles: 3, tags: 3, up_users: 1 }, files: 3, missingFiles: [] })
    expect(statSync(archive).mode & 0o777).toBe(0o600)

    const settings = await newDatabase(to)
    const target = await openDatabase(settings, '.')
    onTestFinished(() => target.close())
    const arrived = filesInMemory()
    const imported = await importArchive({ archive, database: target, files: arrived, replace: false })
    expect({ rows: imported.rows, files: imported.files }).toEqual({ rows: done?.rows, files: 3 })
    expect(arrived.held).toEqual(files.held)

    const again = join(folder, 'two.tar.gz')
    await exported(target, arrived, again)
    expect(await contentOf(again)).toEqual(await contentOf(archive))
    expect(existsSync(`${archive}.partial`)).toBe(false)
    if (to === 'memory') return
    await target.close()

    // And a service starts on it, with nothing to change.
    const cms = await createCms(inFile(everything.replace(/\ndata:[\s\S]*$/, '\n')), {
      env: {},
      database: settings,
    })
    const [article] = await cms.entries('article').findMany({ filters: { slug: 'one' }, populate: '*' })
    expect(article).toMatchObject({
      id: 11,
      big: '9223372036854775807',
      createdAt: '2020-01-01T00:00:00.000Z',
      moment: '2024-02-29T12:34:56.789Z',
      extra: { b: [1, 2.5, null, 'x'], a: {} },
      tags: [{ name: 'b' }, { name: 'c' }, { name: 'a' }],
      cover: [{ id: 4 }, { id: 3 }],
      localizations: [{ id: 12, locale: 'fr' }],
    })
    // Ids go on behind those that came.
    expect(await cms.entries('article').create({ title: 'next' })).toMatchObject({ id: 41 })
    await cms.close()
  })
})

test('files that another provider keeps now have its addresses', async () => {
  const archive = join(newFolder(), 'one.tar.gz')
  const source = await filledDatabase(everything, await newDatabase('memory'))
  const files = filesInMemory()
  for (const key of keys.slice(0, 2)) files.held.set(key, Buffer.from(key))
  expect(await exported(source, files, archive)).toMatchObject({ files: 2, missingFiles: ['b_2.txt'] })
  const away: StoredFiles = {
    provider: 'away',
    open: async () => undefined,
    store: async (key, file) => {
      for await (const piece of file.chunks()) expect(piece.length).toBeGreaterThan(0)
      return `https://away.example.com/${key}`
    },
    settle: async () => {},
  }
  const there = await opened(await newDatabase('memory'))
  await importArchive({ archive, database: there, files: away, replace: false })
  const rows = async (database: Database) => {
    const table = [...((await readShownLayout(database))?.tables.values() ?? [])].find(
      ({ name }) => name === 'files',
    )
    const names = table?.columns.map(({ name }) => name) ?? []
    const found: unknown[] = []
    if (table === undefined) return found
    for await (const part of readRows(database, table)) {
      for (const row of part)
        found.push(['url', 'provider', 'formats'].map((name) => row[names.indexOf(name)]))
    }
    return found
  }
  expect(await rows(there)).toEqual([
    ['/uploads/b_2.txt', 'local', null],
    [
      'https://away.example.com/a_1.png',
      'away',
      expect.stringContaining('https://away.example.com/thumbnail_a_1.png'),
    ],
  ])
  // And back.
  const again = join(newFolder(), 'two.tar.gz')
  await exported(there, files, again)
  const back = await opened(await newDatabase('memory'))
  await importArchive({ archive: again, database: back, files: filesInMemory(), replace: false })
  expect(await rows(back)).toEqual(await rows(source))
})
