// Clients that people use with Strapi 5, unmodified, over a socket: drafts, publishing, lists, filters, files, users.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strapi } from '@strapi/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openRaStrapi } from '../support/ra-strapi.ts'
import { PNG } from '../upload/open-library.ts'

const TOKEN = 't'.repeat(40)
const picture = (name: string): File => new File([new Uint8Array(PNG)], name, { type: 'image/png' })

let directory: string
let cms: Cms
let url: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cms-clients-'))
  cms = await createCms(
    {
      dialect: 'strapi-5',
      contentTypes: {
        author: { name: 'string!', articles: ['article'], posts: ['post'] },
        article: {
          drafts: true,
          localized: true,
          attributes: {
            title: 'string!',
            views: 'integer',
            author: 'author',
            cover: 'image',
            pages: 'images',
          },
        },
        post: {
          drafts: true,
          attributes: {
            title: 'string!',
            views: 'integer',
            author: 'author',
            cover: 'image',
            pages: 'images',
          },
        },
        home: { kind: 'single', drafts: true, attributes: { title: 'string!' } },
      },
      public: ['author.*', 'article.*', 'post.*', 'home.*', 'plugin::upload.content-api.*'],
      auth: {
        roles: { authenticated: { permissions: [] } },
        apiTokens: [{ name: 'app', type: 'full-access', token: TOKEN }],
      },
      plugins: {
        i18n: { config: { defaultLocale: 'en', locales: ['en', 'fr'] } },
        upload: { config: { provider: 'local', providerOptions: { directory } } },
      },
      data: { author: [{ id: 1, name: 'Ann' }], home: { title: 'Home' } },
    } as never,
    { env: {} },
  )
  ;({ url } = await cms.listen(0, '127.0.0.1'))
})
afterAll(async () => {
  await cms?.close()
  await rm(directory, { recursive: true, force: true })
})

describe('@strapi/client', () => {
  const open = (auth?: string) => strapi({ baseURL: `${url}/api`, ...(auth !== undefined && { auth }) })

  test('creates a draft, publishes it, and reads both versions', async () => {
    const articles = open().collection('articles')
    const { data: draft } = await articles.create({ title: 'First', views: 1 }, { status: 'draft' })
    expect(draft).toMatchObject({ title: 'First', publishedAt: null })
    await expect(articles.findOne(draft.documentId)).rejects.toMatchObject({ name: 'HTTPNotFoundError' })
    const { data: published } = await articles.update(draft.documentId, { views: 2 })
    expect(published).toMatchObject({ documentId: draft.documentId, title: 'First', views: 2 })
    expect(published['publishedAt']).toEqual(expect.any(String))
    await articles.update(draft.documentId, { title: 'Changed' }, { status: 'draft' })
    expect((await articles.findOne(draft.documentId)).data['title']).toBe('First')
    expect((await articles.findOne(draft.documentId, { status: 'draft' })).data['title']).toBe('Changed')
    await articles.delete(draft.documentId)
    await expect(articles.findOne(draft.documentId, { status: 'draft' })).rejects.toThrow()
  })

  test('lists with filters, sort, pages, fields and relations', async () => {
    const client = open()
    const articles = client.collection('articles')
    const { data: authors } = await client.collection('authors').find()
    const made: string[] = []
    for (const views of [10, 20, 30]) {
      const { data } = await articles.create({
        title: `List ${views}`,
        views,
        author: authors[0]?.documentId,
      })
      made.push(data.documentId)
    }
    const { data, meta } = await articles.find({
      filters: { title: { $startsWith: 'List' }, views: { $gte: 20 }, author: { name: 'Ann' } },
      sort: 'views:desc',
      pagination: { page: 1, pageSize: 1 },
      fields: ['title', 'views'],
      populate: { author: { fields: ['name'] } },
    })
    expect(data).toMatchObject([{ documentId: made[2], title: 'List 30', author: { name: 'Ann' } }])
    expect(meta.pagination).toEqual({ page: 1, pageSize: 1, pageCount: 2, total: 2 })
    for (const documentId of made) await articles.delete(documentId)
    expect((await articles.find({ filters: { title: { $startsWith: 'List' } } })).data).toEqual([])
  })

  test('keeps locales of one document', async () => {
    const articles = open().collection('articles')
    const { data } = await articles.create({ title: 'Hello' })
    await articles.update(data.documentId, { title: 'Bonjour' }, { locale: 'fr' })
    const titleIn = async (locale: string) =>
      (await articles.findOne(data.documentId, { locale })).data['title']
    expect([await titleIn('en'), await titleIn('fr')]).toEqual(['Hello', 'Bonjour'])
    await articles.delete(data.documentId, { locale: 'fr' })
    await expect(titleIn('fr')).rejects.toThrow()
    expect(await titleIn('en')).toBe('Hello')
  })

  test('reads and writes a single type', async () => {
    const home = open().single('home')
    expect((await home.find()).data['title']).toBe('Home')
    await home.update({ title: 'Draft of home' }, { status: 'draft' })
    expect((await home.find()).data['title']).toBe('Home')
    expect((await home.update({ title: 'New home' })).data['title']).toBe('New home')
    await home.delete()
    await expect(home.find()).rejects.toMatchObject({ name: 'HTTPNotFoundError' })
  })

  test('uploads a file, links, describes and deletes it', async () => {
    const client = open(TOKEN)
    const uploaded = await client.files.upload(new Blob([new Uint8Array(PNG)], { type: 'image/png' }), {
      fileInfo: { name: 'cover.png', alternativeText: 'one pixel' },
    })
    const [file] = uploaded
    expect(file).toMatchObject({ name: 'cover.png', alternativeText: 'one pixel', mime: 'image/png' })
    const id = Number(file?.id)
    const articles = client.collection('articles')
    const { data } = await articles.create({ title: 'With a cover', cover: id }, { populate: 'cover' })
    expect(data['cover']).toMatchObject({ id, name: 'cover.png' })
    await client.files.update(id, { caption: 'red' })
    expect(await client.files.findOne(id)).toMatchObject({ caption: 'red' })
    expect(await client.files.find({ filters: { name: { $contains: 'cover' } } })).toHaveLength(1)
    await client.files.delete(id)
    await expect(client.files.findOne(id)).rejects.toThrow()
    expect((await articles.findOne(data.documentId, { populate: 'cover' })).data['cover']).toBeNull()
  })

  test('makes, changes and deletes users', async () => {
    const users = open(TOKEN).collection('users')
    const made = (await users.create({
      username: 'bob',
      email: 'bob@example.com',
      password: 'secret-of-bob',
      role: 1,
    })) as unknown as { id: number; username: string }
    expect(made.username).toBe('bob')
    await users.update(String(made.id), { username: 'bobby' })
    expect(await users.findOne(String(made.id))).toMatchObject({ username: 'bobby' })
    await users.delete(String(made.id))
    await expect(users.findOne(String(made.id))).rejects.toThrow()
  })

  test('is told what is wrong', async () => {
    const articles = open().collection('articles')
    await expect(articles.create({ title: 1, unknown: true })).rejects.toMatchObject({
      name: 'HTTPBadRequestError',
    })
    await expect(articles.find({ filters: { unknown: 1 } })).rejects.toMatchObject({
      name: 'HTTPBadRequestError',
    })
  })
})

interface RaRecord {
  readonly id: string
  readonly [attribute: string]: unknown
}

interface DataProvider {
  create(resource: string, params: object): Promise<{ data: RaRecord }>
  update(resource: string, params: object): Promise<{ data: RaRecord }>
  getOne(resource: string, params: object): Promise<{ data: RaRecord }>
  getMany(resource: string, params: object): Promise<{ data: RaRecord[] }>
  getList(resource: string, params: object): Promise<{ data: RaRecord[]; total: number }>
  getManyReference(resource: string, params: object): Promise<{ data: RaRecord[]; total: number }>
  delete(resource: string, params: object): Promise<unknown>
  deleteMany(resource: string, params: object): Promise<unknown>
}

test('ra-strapi', async () => {
  const { provider, close } = await openRaStrapi<DataProvider>(url)
  const { data: ann } = await provider.create('authors', { data: { name: 'Ann of react-admin' } })
  const made: RaRecord[] = []
  for (const views of [1, 2, 3]) {
    const { data } = await provider.create('posts', {
      data: { title: `ra ${views}`, views, author: ann.id },
    })
    made.push(data)
  }
  const [first, second] = made.map(({ id }) => id)
  const read = await provider.getOne('posts', { id: first })
  // With what a form sends back: all that was read.
  await provider.update('posts', {
    id: first,
    data: { ...read.data, title: 'ra changed' },
    previousData: read.data,
  })
  const list = await provider.getList('posts', {
    pagination: { page: 1, perPage: 2 },
    sort: { field: 'views', order: 'ASC' },
    filter: { title_contains: 'ra ' },
  })
  expect(list.total).toBe(3)
  expect(list.data).toMatchObject([
    { id: first, title: 'ra changed', author: ann.id },
    { id: second, title: 'ra 2' },
  ])
  const many = await provider.getMany('posts', { ids: [first, second] })
  expect(many.data).toHaveLength(2)
  const ofAnn = await provider.getManyReference('posts', {
    target: 'author',
    id: ann.id,
    pagination: { page: 1, perPage: 10 },
    sort: { field: 'title', order: 'DESC' },
    filter: {},
  })
  expect(ofAnn.data.map(({ title }) => title)).toEqual(['ra changed', 'ra 3', 'ra 2'])
  // A form with a file goes to the address of entries, which Strapi 5 does not read either: files go to /api/upload.
  const withFile = { title: 'ra file', cover: { rawFile: picture('a.png'), title: 'a.png' } }
  await expect(provider.create('posts', { data: withFile })).rejects.toMatchObject({ status: 400 })
  await provider.delete('posts', { id: first })
  await provider.deleteMany('posts', { ids: made.slice(1).map(({ id }) => id) })
  expect((await provider.getList('posts', { filter: { title_contains: 'ra ' } })).total).toBe(0)
  await close()
})
