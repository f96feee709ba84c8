// Clients that people use, over a socket: they make entries with files and read them back.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRaStrapi } from '../support/ra-strapi.ts'
import { type Library, openLibrary, PNG } from './open-library.ts'

let library: Library
let url: string
beforeAll(async () => {
  library = await openLibrary()
  ;({ url } = await library.cms.listen(0, '127.0.0.1'))
})
afterAll(() => library.close())

const picture = (name: string): File => new File([new Uint8Array(PNG)], name, { type: 'image/png' })

interface RaRecord {
  readonly ref: number
  readonly attributes: Record<string, unknown>
}

interface DataProvider {
  create(resource: string, params: { data: Record<string, unknown> }): Promise<{ data: RaRecord }>
  update(
    resource: string,
    params: { id: number; data: Record<string, unknown>; previousData: unknown },
  ): Promise<{ data: RaRecord }>
  getOne(resource: string, params: { id: number }): Promise<{ data: RaRecord }>
  getList(resource: string, params: Record<string, unknown>): Promise<{ data: RaRecord[]; total: number }>
}

test('ra-strapi', async () => {
  const { provider, close } = await openRaStrapi<DataProvider>(url)
  const { data: made } = await provider.create('books', {
    data: {
      title: 'With pictures',
      cover: { rawFile: picture('cover.png'), title: 'cover.png' },
      pages: [
        { rawFile: picture('1.png'), title: '1.png' },
        { rawFile: picture('2.png'), title: '2.png' },
      ],
    },
  })
  const { data: read } = await provider.getOne('books', { id: made.ref })
  expect(read.attributes).toMatchObject({
    title: 'With pictures',
    cover: { data: { attributes: { name: 'cover.png', mime: 'image/png' } } },
    pages: { data: [{ attributes: { name: '1.png' } }, { attributes: { name: '2.png' } }] },
  })
  const cover = (read.attributes['cover'] as { data: { attributes: { url: string } } }).data.attributes.url
  expect((await fetch(url + cover)).headers.get('content-type')).toBe('image/png')
  await provider.update('books', {
    id: made.ref,
    data: { title: 'Another cover', cover: { rawFile: picture('other.png'), title: 'other.png' } },
    previousData: read,
  })
  const { data, total } = await provider.getList('books', {
    pagination: { page: 1, perPage: 10 },
    sort: { field: 'id', order: 'DESC' },
    filter: { title_eq: 'Another cover' },
  })
  expect(total).toBe(1)
  expect(data[0]?.attributes).toMatchObject({
    title: 'Another cover',
    cover: { data: { attributes: { name: 'other.png' } } },
    pages: { data: [{}, {}] },
  })
  await close()
})

interface Sdk {
  request<T>(method: string, url: string, config?: Record<string, unknown>): Promise<T>
  create<T>(type: string, data: Record<string, unknown>): Promise<{ data: T }>
  find<T>(type: string, params: Record<string, unknown>): Promise<{ data: T }>
}

/** The SDK's own way to send outside of browsers takes bytes. */
async function encoded(form: FormData): Promise<{ data: Buffer; headers: Record<string, string> }> {
  const request = new Request('http://a', { method: 'POST', body: form })
  const data = Buffer.from(await request.arrayBuffer())
  return { data, headers: { 'content-type': request.headers.get('content-type') ?? '' } }
}

test('strapi-sdk-js', async () => {
  const { default: Strapi } = (await import('strapi-sdk-js')) as unknown as {
    default: new (options: { url: string }) => Sdk
  }
  const strapi = new Strapi({ url })
  const upload = new FormData()
  upload.append('files', picture('a.png'))
  upload.append('files', new File(['hello'], 'b.txt', { type: 'text/plain' }))
  upload.append('fileInfo', JSON.stringify({ caption: 'first' }))
  const files = await strapi.request<{ id: number; name: string; caption: string | null; url: string }[]>(
    'post',
    '/upload',
    await encoded(upload),
  )
  expect(files.map(({ name, caption }) => [name, caption])).toEqual([
    ['a.png', 'first'],
    ['b.txt', null],
  ])
  const made = await strapi.create<{ id: number }>('books', {
    title: 'From the SDK',
    cover: files[0]?.id,
    pages: files.map(({ id }) => id),
  })
  const form = new FormData()
  form.append('data', JSON.stringify({ title: 'In one request' }))
  form.append('files.cover', picture('c.png'))
  const both = await strapi.request<{ data: { id: number } }>('post', '/books', await encoded(form))
  const found = await strapi.find<{ attributes: Record<string, unknown> }[]>('books', {
    filters: { id: { $in: [made.data.id, both.data.id] } },
    populate: '*',
    sort: 'id',
  })
  expect(found.data.map(({ attributes }) => attributes)).toMatchObject([
    {
      title: 'From the SDK',
      cover: { data: { attributes: { name: 'a.png' } } },
      pages: { data: [{ attributes: { name: 'a.png' } }, { attributes: { name: 'b.txt' } }] },
    },
    { title: 'In one request', cover: { data: { attributes: { name: 'c.png' } } } },
  ])
  expect(await (await fetch(url + files[1]?.url)).text()).toBe('hello')
  await strapi.request('delete', `/upload/files/${files[1]?.id}`)
  expect((await fetch(url + files[1]?.url)).status).toBe(404)
})
