// Entries made up for tests, and what an instance was asked.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

const config = {
  contentTypes: {
    author: { attributes: { name: { type: 'string', required: true, unique: true }, born: 'integer' } },
    article: {
      attributes: {
        title: { type: 'string', required: true, minLength: 5, maxLength: 30 },
        kind: { type: 'enumeration', enum: ['news', 'essay'], required: true },
        slug: { type: 'uid', targetField: 'title' },
        seo: { type: 'component', component: 'shared.seo', required: true },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', required: true },
        notes: 'text',
      },
    },
  },
  components: { 'shared.seo': { attributes: { title: { type: 'string', required: true } } } },
  auth: { roles: { public: { permissions: ['article.find', 'article.create'] } } },
}

const open = () => createCms(config, { env: {}, testing: true })

test('what is required is made up, related entries included, and what is given is kept', async () => {
  await using cms = await open()
  const made = await cms.make('article', { title: 'Given title' })
  const stored = await cms.entries('article').findOne(Number(made['id']), { populate: '*' })
  expect(stored).toMatchObject({
    title: 'Given title',
    slug: 'given-title',
    kind: expect.stringMatching(/^(news|essay)$/),
    seo: { title: expect.any(String) },
    author: { name: expect.any(String), born: null },
    notes: null,
  })
  const author = await cms.make('author', { name: 'Ann' })
  await cms.make('article', { author: author['id'] })
  expect(await cms.entries('article').count({ filters: { author: { name: 'Ann' } } })).toBe(1)
  expect(await cms.entries('author').count()).toBe(2)
})

test('each differs, and each run makes the same', async () => {
  const names = async (): Promise<unknown> => {
    await using cms = await open()
    const start = cms.snapshot()
    const made = []
    for (let count = 0; count < 30; count++) made.push((await cms.make('author'))['name'])
    expect(new Set(made).size).toBe(30)
    cms.restore(start)
    expect((await cms.make('author'))['name']).toBe(made[0])
    return made
  }
  expect(await names()).toEqual(await names())
})

test('what is given wrongly is refused, and unknown content-types are', async () => {
  await using cms = await open()
  await expect(cms.make('article', { kind: 'poem' })).rejects.toThrow('kind')
  await expect(cms.make('nothing')).rejects.toThrow('no content-type "nothing"')
})

test('requests are remembered until the content is put back', async () => {
  await using cms = await open()
  const start = cms.snapshot()
  await cms.fetch('/api/articles?sort=title')
  await cms.fetch('/api/articles', { method: 'POST' })
  await cms.as({ role: 'public' })('/api/authors')
  expect(cms.requests).toEqual([
    { method: 'GET', path: '/api/articles', query: 'sort=title', status: 200, authorized: false },
    { method: 'POST', path: '/api/articles', query: '', status: 400, authorized: false },
    { method: 'GET', path: '/api/authors', query: '', status: 403, authorized: true },
  ])
  cms.restore(start)
  expect(cms.requests).toEqual([])
  for (let time = 0; time < 1005; time++) await cms.fetch('/_health')
  expect(cms.requests).toHaveLength(1000)
})
