// What payloads of documents may hold otherwise than in Strapi 4, in REST and in GraphQL.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

let cms: Cms
let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  cms = await createCms(
    {
      dialect: 'strapi-5',
      plugins: { graphql: true, i18n: { config: { locales: ['en', 'fr'], defaultLocale: 'en' } } },
      contentTypes: {
        page: { drafts: true, localized: true, attributes: { title: 'string', body: 'blocks' } },
        home: { kind: 'single', localized: true, attributes: { title: 'string' } },
        note: { attributes: { title: 'string' } },
      },
      public: ['page.*', 'home.*', 'note.*'],
      data: { page: [{ id: 1, title: 'One' }], home: { title: 'Home' }, note: [{ id: 1, title: 'n' }] },
    } as never,
    { env: {}, ...database.options },
  )
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

const text = { type: 'text', text: 'x' }
const link = (url: string) => [{ type: 'paragraph', children: [{ type: 'link', url, children: [text] }] }]
const code = (properties: object) => [{ type: 'code', children: [text], ...properties }]
const image = {
  ...{ name: 'a.png', url: '/a.png', width: 1, height: 1, hash: 'a', ext: '.png', mime: 'image/png' },
  ...{ size: 1, provider: 'local', createdAt: '2024-01-01', updatedAt: '2024-01-01' },
}
const images = (properties: object) => [
  { type: 'image', image: { ...image, ...properties }, children: [text] },
]

test.each([
  ['an address', link('https://example.com'), undefined],
  ['a path', link('/a?b#c'), undefined],
  ['mail', link('mailto:a@b.co'), undefined],
  ['javascript', link('JavaScript:alert(1)'), ['body', '0', 'children', '0', 'url']],
  ['vbscript', link('vbscript:x'), ['body', '0', 'children', '0', 'url']],
  ['data', link('data:text/html,x'), ['body', '0', 'children', '0', 'url']],
  ['code with a language', code({ language: 'ts' }), undefined],
  ['code without one', code({ language: null }), undefined],
  ['code with another kind of language', code({ language: 5 }), ['body', '0', 'language']],
  ['an image without formats', images({}), undefined],
  ['an image with null as formats', images({ formats: null }), undefined],
  ['an image with formats', images({ formats: { small: {} } }), undefined],
  ['an image with a text as formats', images({ formats: 'x' }), ['body', '0', 'image', 'formats']],
])('blocks: %s', async (_, body, path) => {
  for (const status of ['published', 'draft']) {
    const response = await cms.fetch(`/api/pages?status=${status}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { title: 'x', body } }),
    })
    const answer = (await response.json()) as {
      data: { body: unknown } | null
      error?: { details: { errors: { path: unknown }[] } }
    }
    expect(response.status, status).toBe(path === undefined ? 201 : 400)
    if (path === undefined) expect(answer.data?.body).toEqual(body)
    else expect(answer.error?.details.errors.map((one) => one.path)).toEqual([path])
  }
  const mutation = 'mutation ($body: JSON!) { createPage(data: { body: $body }) { body } }'
  const { data } = (await cms.graphql(mutation, { body })) as { data: { createPage: unknown } | null }
  expect(data?.createPage ?? null).toEqual(path === undefined ? { body } : null)
})

test('the address for localizations of Strapi 4 takes no request', async () => {
  for (const path of ['pages/1', 'home']) {
    const response = await cms.fetch(`/api/${path}/localizations`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(405)
    expect(await response.json()).toMatchObject({
      error: {
        status: 405,
        name: 'MethodNotAllowedError',
        message: expect.stringContaining('PUT and ?locale='),
      },
    })
  }
  expect((await cms.fetch('/api/notes/1/localizations', { method: 'POST', body: '{}' })).status).toBe(404)
})
