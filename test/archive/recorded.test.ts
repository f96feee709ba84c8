// What earlier versions wrote is read: their archives, and their database files, of which every release left one here
// (record.ts).

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { runCommand } from '../support/run-command.ts'
import { everything } from './content-of-everything.ts'
import { clients, databaseSection } from './databases-here.ts'
import { newFolder } from './in-file.ts'

const recorded = join(import.meta.dirname, 'recorded')
const versions = readdirSync(recorded)
  .filter((name) => name.endsWith('.tar.gz'))
  .map((name) => name.slice(0, -'.tar.gz'.length))
const withoutData = everything.replace(/\ndata:[\s\S]*$/, '\n')

async function expectContent(file: string): Promise<void> {
  const cms = await createCms(file, { env: {} })
  onTestFinished(() => cms.close())
  const [article] = await cms.entries('article').findMany({ filters: { slug: 'one' }, populate: '*' })
  expect(article).toMatchObject({
    id: 11,
    title: 'Été \u0001 \u{1F600}',
    blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'hi' }] }],
    count: -7,
    big: '9223372036854775807',
    ratio: 0.1,
    price: 12.5,
    open: false,
    day: '2024-02-29',
    at: '12:34:56.789',
    moment: '2024-02-29T12:34:56.789Z',
    mood: 'bad',
    extra: { b: [1, 2.5, null, 'x'], a: {} },
    createdAt: '2020-01-01T00:00:00.000Z',
    cover: [{ id: 4 }, { id: 3 }],
    seo: { metaTitle: 'M' },
    quotes: [{ text: 'q1' }, { text: 'q2' }],
    zone: [
      { __component: 'shared.seo', metaTitle: 'Z1' },
      { __component: 'page.quote', text: 'Z2' },
    ],
    tags: [{ name: 'b' }, { name: 'c' }, { name: 'a' }],
    localizations: [{ id: 12, locale: 'fr' }],
  })
  expect(await cms.entries('article').count()).toBe(3)
  const login = await cms.fetch('/api/auth/local', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'ann', password: 'secret-of-ann' }),
  })
  expect(login.status).toBe(200)
  expect(await cms.entries('article').create({ title: 'next' })).toMatchObject({ id: 41 })
}

test('there are some', () => expect(versions).not.toEqual([]))

test.each(
  versions.flatMap((version) =>
    clients.filter((client) => client !== 'memory').map((client) => [version, client] as const),
  ),
)('an archive of %s is imported into %s', async (version, client) => {
  const folder = newFolder()
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, `${await databaseSection(client)}${withoutData}`)
  const archive = join(folder, 'archive.tar.gz')
  copyFileSync(join(recorded, `${version}.tar.gz`), archive)
  const { code, out } = await runCommand(['import', archive, '--into', file], { cwd: folder })
  expect(code).toBe(0)
  expect(out).toMatch(/3 files/)
  expect(readFileSync(join(folder, 'uploads/thumbnail_a_1.png'), 'utf8')).toBe('thumbnail_a_1.png')
  await expectContent(file)
})

test.each(versions)('a database file of %s goes on', async (version) => {
  const folder = newFolder()
  mkdirSync(join(folder, 'uploads'))
  writeFileSync(join(folder, 'cms.db'), gunzipSync(readFileSync(join(recorded, `${version}.db.gz`))))
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, `database: { client: sqlite, filename: cms.db }\n${withoutData}`)
  await expectContent(file)
})
