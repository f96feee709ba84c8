// Files of the seed: `{ file: ./a.png }` at media attributes, and entries of files with fields of their own.

import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createCms } from '../../src/index.ts'
import { PNG } from './open-library.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cms-seeds-'))
  await writeFile(join(directory, 'a.png'), PNG)
  await writeFile(join(directory, 'note.txt'), 'note')
})
afterEach(() => rm(directory, { recursive: true, force: true }))

async function start(data: Record<string, unknown>, upload: Record<string, unknown> = {}) {
  const config = {
    contentTypes: {
      book: {
        attributes: {
          title: 'string',
          cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
          pages: { type: 'media', multiple: true },
          seo: { type: 'component', component: 'shared.seo' },
        },
      },
      shelf: { attributes: { label: 'string' } },
    },
    components: { 'shared.seo': { attributes: { image: { type: 'media', multiple: false } } } },
    plugins: { upload: { config: upload } },
    auth: { roles: { public: { permissions: ['book.find'] } } },
    data,
  }
  await writeFile(join(directory, 'cms.yaml'), stringify(config))
  return createCms(join(directory, 'cms.yaml'), { env: {} })
}

const file = (name: string, more = {}) => ({ file: `./${name}`, ...more })

test('files are stored where media are written, in lists and components too', async () => {
  const cms = await start({
    book: [
      {
        title: 'A',
        cover: file('a.png', { alternativeText: 'dot' }),
        pages: [file('note.txt'), 1, file('a.png')],
      },
      { title: 'B', seo: { image: file('a.png', { name: 'renamed.png' }) } },
    ],
    'plugin::upload.file': [
      {
        id: 1,
        file: './a.png',
        name: 'own.png',
        hash: 'own_0000000001',
        url: '/uploads/own_0000000001.png',
        caption: 'c',
      },
    ],
  })
  const { data } = (await (
    await cms.fetch('/api/books?populate[cover]=true&populate[pages]=true&populate[seo][populate]=*')
  ).json()) as {
    data: { attributes: Record<string, { data: unknown; image: unknown }> }[]
  }
  expect(data[0]?.attributes).toMatchObject({
    cover: { data: { attributes: { name: 'a.png', alternativeText: 'dot', width: 1, mime: 'image/png' } } },
    pages: {
      data: [
        { attributes: { name: 'note.txt', mime: 'text/plain' } },
        { id: 1, attributes: { name: 'own.png', hash: 'own_0000000001', caption: 'c' } },
        { attributes: { name: 'a.png' } },
      ],
    },
  })
  expect(data[1]?.attributes).toMatchObject({
    seo: { image: { data: { attributes: { name: 'renamed.png' } } } },
  })
  expect((await cms.fetch('/uploads/own_0000000001.png')).headers.get('content-type')).toBe('image/png')
  await cms.close()
})

test('started again, a seed lies where it lay', async () => {
  const data = { book: [{ title: 'A', cover: file('a.png'), pages: [file('a.png')] }] }
  const upload = { provider: 'local', providerOptions: { directory: './files' } }
  const names: string[][] = []
  for (let count = 0; count < 2; count += 1) {
    const cms = await start(data, upload)
    await cms.close()
    names.push((await readdir(join(directory, 'files'))).filter((name) => !name.startsWith('.')))
  }
  expect(names[0]?.length).toBe(2)
  expect(names[1]).toEqual(names[0])
})

test.each([
  ['a file that is not there', { title: 'A', cover: file('nope.png') }, /there is no file .*nope\.png/],
  ['a pipe', { title: 'A', cover: file('pipe.png') }, /cannot read .*pipe\.png: it is not a regular file/],
  ['a directory', { title: 'A', cover: file('.') }, /cannot read .*: it is a directory/],
  [
    'a file of the wrong kind',
    { title: 'A', cover: file('note.txt') },
    /cover takes images, not text\/plain/,
  ],
])('%s is reported, and nothing is stored', async (_name, book, message) => {
  execFileSync('mkfifo', [join(directory, 'pipe.png')])
  const upload = { provider: 'local', providerOptions: { directory: './files' } }
  await expect(start({ book: [{ title: 'first', cover: file('a.png') }, book] }, upload)).rejects.toThrow(
    message,
  )
  const names = await readdir(join(directory, 'files')).catch(() => [])
  expect(names.filter((name) => !name.startsWith('.'))).toEqual([])
})
