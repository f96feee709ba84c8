// Documents of the dialect strapi-5: two versions, the actions on them, and cms.entries.

import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

const base = {
  contentTypes: {
    article: { drafts: true, attributes: { title: 'string!', code: { type: 'string', unique: true } } },
    author: { attributes: { name: 'string', articles: ['article'] } },
  },
  public: ['article.*', 'author.*'],
  data: { article: [{ id: 1, title: 'One', code: 'a' }] },
}

/** Strapi has no such actions: no wildcard grants them. */
const actions = ['article.publish', 'article.unpublish', 'article.discardDraft']

async function open(changes: object = { public: [...base.public, ...actions] }) {
  const cms = await createCms({ dialect: 'strapi-5', ...base, ...changes } as never, { env: {} })
  return {
    cms,
    async ask(method: string, path: string, data?: unknown) {
      const body = data === undefined ? {} : { body: JSON.stringify({ data }) }
      const headers = { 'content-type': 'application/json' }
      const response = await cms.fetch(`/api${path}`, { method, headers, ...body })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    },
  }
}

test('article.* grants what it grants in Strapi', async () => {
  const { cms, ask } = await open({})
  const { documentId } = (await ask('GET', '/articles')).body.data[0]
  for (const action of ['publish', 'unpublish', 'discard'])
    expect((await ask('POST', `/articles/${documentId}/actions/${action}`)).status).toBe(403)
  expect((await ask('PUT', `/articles/${documentId}`, { title: 'Two' })).status).toBe(200)
  await cms.close()
})

describe('a document', () => {
  test('keeps what is published while its draft changes', async () => {
    const { cms, ask } = await open()
    const { documentId } = (await ask('GET', '/articles')).body.data[0]
    expect(documentId).toMatch(/^d[0-9a-f]{23}$/)
    await ask('PUT', `/articles/${documentId}?status=draft`, { title: 'Two' })
    const titles = async () =>
      Promise.all(
        ['published', 'draft'].map(
          async (status) => (await ask('GET', `/articles/${documentId}?status=${status}`)).body.data?.title,
        ),
      )
    expect(await titles()).toEqual(['One', 'Two'])
    expect((await ask('POST', `/articles/${documentId}/actions/discard`)).status).toBe(200)
    expect(await titles()).toEqual(['One', 'One'])
    await ask('PUT', `/articles/${documentId}?status=draft`, { title: 'Three' })
    expect((await ask('POST', `/articles/${documentId}/actions/publish`)).body.data.title).toBe('Three')
    expect(await titles()).toEqual(['Three', 'Three'])
    expect((await ask('POST', `/articles/${documentId}/actions/unpublish`)).status).toBe(200)
    expect(await titles()).toEqual([undefined, 'Three'])
    expect((await ask('DELETE', `/articles/${documentId}`)).status).toBe(204)
    expect(await titles()).toEqual([undefined, undefined])
    await cms.close()
  })

  test('is linked in both versions, and unique once it is published', async () => {
    const { cms, ask } = await open()
    const { documentId } = (await ask('GET', '/articles')).body.data[0]
    const author = await ask('POST', '/authors?populate=articles', { name: 'Ann', articles: [documentId] })
    expect(author.status).toBe(201)
    expect(author.body.data.articles).toHaveLength(1)
    const draft = await ask('POST', '/articles?status=draft', { title: 'Same', code: 'a' })
    expect(draft.status).toBe(201)
    const published = await ask('POST', `/articles/${draft.body.data.documentId}/actions/publish`)
    expect(published.status).toBe(400)
    expect(published.body.error.details.errors[0]).toMatchObject({ path: ['code'], value: 'a' })
    await cms.close()
  })
})

describe('cms.entries', () => {
  test('lists each document once, in the version that is asked for', async () => {
    const { cms, ask } = await open()
    const articles = cms.entries('article')
    const { documentId } = (await ask('GET', '/articles')).body.data[0]
    await ask('PUT', `/articles/${documentId}?status=draft`, { title: 'Changed' })
    await articles.create({ title: 'Only a draft' }, { status: 'draft' })
    const titles = (found: readonly object[]) => found.map((entry) => (entry as { title?: unknown }).title)
    expect(titles(await articles.findMany())).toEqual(['Changed', 'Only a draft'])
    expect(titles(await articles.findMany({ status: 'published' }))).toEqual(['One'])
    expect(await articles.count()).toBe(2)
    expect(await articles.count({ publicationState: 'live' })).toBe(1)
    expect(await articles.findOne(documentId)).toMatchObject({ title: 'Changed', publishedAt: null })
    expect(await articles.findOne(documentId, { status: 'published' })).toMatchObject({ title: 'One' })
    expect(await articles.findOne(1)).toMatchObject({ documentId, title: 'Changed' })
    expect(await articles.findOne(4711)).toBeNull()
    await cms.entries('author').create({ name: 'Ann', articles: [documentId] })
    const [ann] = await cms.entries('author').findMany({ populate: 'articles' })
    expect(ann?.['articles']).toMatchObject([{ title: 'Changed' }])
    await cms.close()
  })

  test('writes, publishes and deletes whole documents, by documentId or by the number of either row', async () => {
    const { cms, ask } = await open()
    const articles = cms.entries('article')
    const made = await articles.create({ title: 'Made' })
    const documentId = String(made['documentId'])
    expect(made['publishedAt']).toEqual(expect.any(String))
    const published = async () => (await ask('GET', `/articles/${documentId}`)).body.data?.title
    expect(await published()).toBe('Made')
    await articles.update(made.id, { title: 'By number' })
    expect(await published()).toBe('By number')
    await articles.update(documentId, { title: 'Draft' }, { status: 'draft' })
    expect(await published()).toBe('By number')
    expect(await articles.discardDraft(documentId)).toMatchObject({ title: 'By number' })
    await articles.unpublish(documentId)
    expect(await published()).toBeUndefined()
    await articles.publish(documentId)
    expect(await published()).toBe('By number')
    const [draft] = await articles.findMany({ filters: { documentId } })
    expect(await articles.delete(Number(draft?.id))).toMatchObject({ documentId })
    expect((await ask('GET', `/articles/${documentId}?status=draft`)).status).toBe(404)
    expect(await published()).toBeUndefined()
    await expect(articles.delete(documentId)).rejects.toThrow('Not Found')
    await expect(articles.publish('unknown')).rejects.toThrow('Not Found')
    await expect(articles.delete('unknown', { locale: '*' })).rejects.toThrow('Not Found')
    await cms.close()
  })

  test('makes entries that visitors see, and drafts', async () => {
    const { cms, ask } = await open()
    const made = await cms.make('article', { code: 'made' })
    await cms.make('article', { title: 'Not yet', publishedAt: null })
    const codes = async (status: string) =>
      (await ask('GET', `/articles?status=${status}&sort=id`)).body.data.length
    expect(made['publishedAt']).toEqual(expect.any(String))
    expect([await codes('published'), await codes('draft')]).toEqual([2, 3])
    await cms.close()
  })
})
