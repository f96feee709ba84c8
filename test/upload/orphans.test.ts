// What fails leaves nothing behind, what is deleted leaves nothing dangling.

import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { form, type Library, openLibrary, type Part, PNG, png, post, text } from './open-library.ts'

let library: Library
beforeEach(async () => {
  library = await openLibrary({ sizeLimit: '1mb' })
})
afterEach(() => library.close())

const data = (value: unknown): Part => ({ name: 'data', value: JSON.stringify(value) })
const field = (name: string, value: string): Part => ({ name, value })
const cover = (file: Part['file']): Part => ({ name: 'files.cover', ...(file === undefined ? {} : { file }) })
const image = { name: 'c.png', type: 'image/png', bytes: PNG }
const large = 'x'.repeat(2 * 1024 * 1024)

async function files(): Promise<unknown[]> {
  return library.cms.entries('plugin::upload.file').findMany()
}

describe('a request that fails stores nothing', () => {
  test.each<readonly [string, number, string, readonly Part[]]>([
    ['an entry that is not valid', 400, '/api/books', [data({ code: 'x' }), cover(image)]],
    ['a unique value that is taken', 400, '/api/books', [data({ title: 't', code: 'taken' }), cover(image)]],
    ['data that is no JSON', 400, '/api/books', [field('data', '{'), cover(image)]],
    ['no data', 400, '/api/books', [cover(image)]],
    [
      'a file of the wrong kind',
      400,
      '/api/books',
      [data({ title: 't' }), cover({ name: 'c.txt', bytes: 'x' })],
    ],
    [
      'a file that is not what it says',
      400,
      '/api/books',
      [data({ title: 't' }), cover({ ...image, bytes: 'x' })],
    ],
    [
      'a second file that is too large',
      413,
      '/api/books',
      [data({ title: 't' }), cover(image), cover({ name: 'd.txt', bytes: large })],
    ],
    ['a file that is too large', 413, '/api/upload', [text('a.txt', large)]],
    ['a good file before one that is too large', 413, '/api/upload', [png(), text('a.txt', large)]],
    ['fileInfo that is none', 400, '/api/upload', [png(), field('fileInfo', '[1]')]],
    [
      'an entry that does not exist',
      400,
      '/api/upload',
      [png(), ...target('api::book.book', '999', 'cover')],
    ],
    [
      'an attribute that does not exist',
      400,
      '/api/upload',
      [png(), ...target('api::book.book', '1', 'nope')],
    ],
    [
      'an attribute that holds no media',
      400,
      '/api/upload',
      [png(), ...target('api::book.book', '1', 'title')],
    ],
    [
      'a content-type that does not exist',
      400,
      '/api/upload',
      [png(), ...target('api::nope.nope', '1', 'cover')],
    ],
    ['__proto__ as a content-type', 400, '/api/upload', [png(), ...target('__proto__', '1', 'cover')]],
    [
      'an attribute that takes no such files',
      400,
      '/api/upload',
      [text(), ...target('api::book.book', '1', 'cover')],
    ],
    ['a path in the name', 400, '/api/upload', [text('../../evil.txt')]],
    ['HTML that says it is an image', 400, '/api/upload', [text('a.html', PNG.toString('latin1'))]],
    ['an unknown file to replace', 404, '/api/upload?id=999', [png()]],
  ])('%s', async (_name, status, path, parts) => {
    await library.cms.entries('book').create({ title: 'first', code: 'taken' })
    const answer = await post(library.cms, path, ...parts)
    expect([answer.status, await library.stored(), await files()]).toEqual([status, [], []])
  })

  test('a client that goes away in the middle', async () => {
    const { port } = await library.cms.listen(0, '127.0.0.1')
    const head = `POST /api/upload HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 900000\r\n\r\n`
    const part = '--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
    for (let count = 0; count < 20; count += 1) {
      const socket = connect(port, '127.0.0.1')
      await new Promise<void>((resolve) => socket.write(head + part + 'y'.repeat(600_000), () => resolve()))
      socket.destroy()
    }
    // Answered behind what the aborted ones began.
    for (;;) {
      const waiting = (await library.stored()).length
      if (waiting === 0) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(await files()).toEqual([])
  })

  test('a form that breaks off', async () => {
    const body = '--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nabc'
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const response = await library.cms.fetch('/api/upload', { method: 'POST', headers, body })
    expect([response.status, await library.stored()]).toEqual([400, []])
  })
})

function target(ref: string, refId: string, name: string): Part[] {
  return [field('ref', ref), field('refId', refId), field('field', name)]
}

test('a caller who may upload, and not update, changes no entry', async () => {
  const { UPLOADER } = await import('./open-library.ts')
  const book = await library.cms.entries('book').create({ title: 'first' })
  const response = await library.cms.fetch('/api/upload', {
    method: 'POST',
    headers: { authorization: `Bearer ${UPLOADER}` },
    body: form(png(), ...target('api::book.book', String(book.id), 'cover')),
  })
  expect([response.status, await library.stored()]).toEqual([403, []])
})

test('a deleted file is gone from disk, from entries and from their components', async () => {
  const { cms } = library
  const created = await post(
    cms,
    '/api/books?populate=*',
    data({ title: 't', seo: { text: 's' }, parts: [{ __component: 'shared.part', text: 'p' }] }),
    cover(image),
    { name: 'files.pages', file: image },
    { name: 'files.pages', file: { name: 'n.txt', bytes: 'note' } },
    { name: 'files.seo.image', file: image },
    { name: 'files.parts[0].scans', file: image },
  )
  expect(created.status).toBe(200)
  expect((await library.stored()).length).toBe(5)
  for (const { id } of (await files()) as { id: number }[]) {
    const response = await cms.fetch(`/api/upload/files/${id}`, { method: 'DELETE' })
    expect(response.status).toBe(200)
  }
  expect(await library.stored()).toEqual([])
  const [book] = await cms.entries('book').findMany({
    populate: { cover: 'true', pages: 'true', seo: { populate: '*' }, parts: { populate: '*' } },
  })
  expect(book).toMatchObject({ cover: null, pages: [], seo: { image: null }, parts: [{ scans: [] }] })
})

test('a deleted entry leaves no component and no link; its files stay in the library', async () => {
  const { cms } = library
  await post(
    cms,
    '/api/books',
    data({ title: 't', seo: { text: 's' }, parts: [{ __component: 'shared.part', text: 'p' }] }),
    { name: 'files.seo.image', file: image },
    { name: 'files.parts[0].scans', file: image },
  )
  const [book] = await cms.entries('book').findMany()
  await cms.entries('book').delete(book?.id ?? 0)
  expect((await library.stored()).length).toBe(2)
  const left = await cms.entries('plugin::upload.file').findMany({ populate: ['related'] })
  expect(left.map((file) => file['related'])).toEqual([[], []])
})

test('formats are stored and go with their file', async () => {
  const { default: sharp } = await import('sharp')
  const bytes = await sharp({ create: { width: 1200, height: 300, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const { body } = await post(library.cms, '/api/upload', {
    name: 'files',
    file: { name: 'wide.jpg', type: 'image/jpeg', bytes },
  })
  const [file] = body as unknown as {
    id: number
    width: number
    formats: Record<string, { width: number }>
  }[]
  expect(file).toMatchObject({
    width: 1200,
    height: 300,
    mime: 'image/jpeg',
    formats: {
      thumbnail: { width: 245 },
      large: { width: 1000 },
      medium: { width: 750 },
      small: { width: 500 },
    },
  })
  expect((await library.stored()).length).toBe(5)
  await library.cms.fetch(`/api/upload/files/${file?.id}`, { method: 'DELETE' })
  expect(await library.stored()).toEqual([])
})

test('replaced contents keep their address, and formats that are not needed go', async () => {
  const { default: sharp } = await import('sharp')
  const jpeg = async (width: number): Promise<Part> => ({
    name: 'files',
    file: {
      name: `${width}.jpg`,
      type: 'image/jpeg',
      bytes: await sharp({ create: { width, height: 10, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer(),
    },
  })
  const { body } = await post(library.cms, '/api/upload', await jpeg(800))
  const [before] = body as unknown as Record<string, unknown>[]
  expect((await library.stored()).length).toBe(4)
  const replaced = await post(library.cms, `/api/upload?id=${before?.['id']}`, await jpeg(100))
  expect(replaced.body).toMatchObject({ id: before?.['id'], url: before?.['url'], width: 100, formats: {} })
  expect(await library.stored()).toEqual([String(before?.['url']).slice('/uploads/'.length)])
})

test('a restored memory database has its files again', async () => {
  const memory = await openLibrary({ provider: 'memory' })
  const { cms } = memory
  const { body } = await post(cms, '/api/upload', text())
  const [file] = body as unknown as { id: number; url: string }[]
  const before = cms.snapshot()
  await cms.fetch(`/api/upload/files/${file?.id}`, { method: 'DELETE' })
  expect((await cms.fetch(String(file?.url))).status).toBe(404)
  cms.restore(before)
  expect(await (await cms.fetch(String(file?.url))).text()).toBe('hello')
  expect(await memory.stored()).toEqual([])
  await memory.close()
})
