// `rest.cacheControl` of a content-type: what caches of anybody may keep, and that they keep nothing of a caller with
// `Authorization`.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import type { RestContext } from '../../src/rest/rest-context.ts'

const TOKEN = 'a-token-of-forty-characters-for-the-test'
const NAMES = ['Authorization', 'Accept-Encoding']

const config = {
  contentTypes: {
    page: {
      attributes: { title: 'string', text: 'text' },
      rest: { cacheControl: 'public, max-age=60, stale-while-revalidate=600' },
    },
    home: { kind: 'singleType', attributes: { title: 'string' }, rest: { cacheControl: 'no-cache' } },
    note: { attributes: { title: 'string' } },
  },
  auth: {
    roles: {
      public: { permissions: ['page.*', 'home.find', 'note.read'] },
      editor: { permissions: ['page.*', 'home.find', 'note.read'] },
    },
    apiTokens: [{ name: 'all', type: 'full-access', token: TOKEN }],
  },
  data: {
    page: [{ id: 1, title: 'one', text: 'worth compressing '.repeat(200) }],
    home: { title: 'home' },
    note: [{ title: 'one' }],
  },
}

describe.each(['strapi-4', 'strapi-5'] as const)('in the dialect %s', (dialect) => {
  let cms: Cms
  let one: string
  beforeAll(async () => {
    cms = await createCms({ ...config, dialect })
    const list = (await (await cms.fetch('/api/pages')).json()) as {
      data: { id: number; documentId?: string }[]
    }
    one = String(list.data[0]?.documentId ?? list.data[0]?.id)
  })
  afterAll(() => cms.close())

  const get = (path: string, headers: Record<string, string> = {}) => cms.fetch(path, { headers })
  const varies = (answer: Response) => (answer.headers.get('vary') ?? '').split(/, */)

  test.each([
    ['/api/pages', 'public, max-age=60, stale-while-revalidate=600'],
    ['/api/pages/ONE', 'public, max-age=60, stale-while-revalidate=600'],
    ['/api/home', 'no-cache'],
  ])('%s says it of first, kept and unchanged answers', async (path, expected) => {
    const url = path.replace('ONE', one)
    const answers = [await get(url), await get(url), await get(url)]
    const tag = answers.at(-1)?.headers.get('etag') ?? expect.fail('no tag')
    const unchanged = await get(url, { 'if-none-match': tag })
    expect(unchanged.status).toBe(304)
    for (const answer of [...answers, unchanged]) {
      expect(answer.headers.get('cache-control')).toBe(expected)
      expect(varies(answer)).toContain('Authorization')
    }
  })

  test('a compressed answer has it and varies by both', async () => {
    for (const url of ['/api/pages', '/api/pages', '/api/pages']) {
      const answer = await get(url, { 'accept-encoding': 'gzip' })
      expect(answer.headers.get('cache-control')).toContain('max-age=60')
      expect(varies(answer)).toEqual(expect.arrayContaining(NAMES))
    }
  })

  // `Basic` names nobody: its answer is made for the same permissions as one without the header.
  test.each([`Bearer ${TOKEN}`, 'Basic YTpi'])('with "%s" nobody else may keep it', async (authorization) => {
    for (let turn = 0; turn < 3; turn++) {
      expect((await get('/api/pages')).headers.get('cache-control')).toContain('public')
      const answer = await get('/api/pages', { authorization })
      expect(answer.headers.get('cache-control')).toBe('private, no-cache')
      expect(varies(answer)).toContain('Authorization')
    }
  })

  test('other types, errors and writes say nothing', async () => {
    const created = await cms.fetch('/api/pages', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"data":{"title":"two"}}',
    })
    expect(created.status).toBeLessThan(300)
    const refused = await get('/api/pages?sort=nothing')
    expect(refused.status).toBe(400)
    const missing = await get('/api/pages/999')
    expect(missing.status).toBe(404)
    for (const answer of [created, refused, missing, await get('/api/notes')])
      expect(answer.headers.get('cache-control')).toBeNull()
  })

  if (dialect === 'strapi-5')
    test('an answer in the other shape is another one', async () => {
      const answer = await get('/api/pages', { 'strapi-response-format': 'v4' })
      expect(answer.headers.get('cache-control')).toContain('public')
      expect(varies(answer)).toContain('Strapi-Response-Format')
      expect(varies(await get('/api/pages'))).toContain('Strapi-Response-Format')
    })
})

test('a middleware has the last word', async () => {
  await using cms = await createCms(
    {
      contentTypes: {
        page: {
          attributes: { title: 'string' },
          rest: { cacheControl: 'max-age=60', config: { find: { middlewares: ['shorter'] } } },
        },
      },
      auth: { roles: { public: { permissions: ['page.read'] } } },
      data: { page: [{ title: 'one' }] },
    },
    {
      middlewares: {
        shorter: () => async (ctx: RestContext, next: () => Promise<void>) => {
          await next()
          if (ctx.query['sort'] !== undefined) ctx.set('Cache-Control', 'max-age=1')
        },
      },
    },
  )
  expect((await cms.fetch('/api/pages')).headers.get('cache-control')).toBe('max-age=60')
  expect((await cms.fetch('/api/pages?sort=title')).headers.get('cache-control')).toBe('max-age=1')
})

test.each([
  'public',
  'max-age=sixty',
  'max-age=60, max-age=70',
  'max-age=60, public',
  'no-store, max-age=60',
  'max-age=60\r\nset-cookie: a=b',
  '',
])('%j is refused', async (cacheControl) => {
  const made = createCms({
    contentTypes: { page: { attributes: { title: 'string' }, rest: { cacheControl } } },
  })
  await expect(made).rejects.toThrow('cacheControl')
})

test.each(['no-store', 'private, max-age=5', 'max-age=60,s-maxage=600', 'max-age=1, must-revalidate'])(
  '%j is taken',
  async (cacheControl) => {
    await using cms = await createCms({
      contentTypes: { page: { attributes: { title: 'string' }, rest: { cacheControl } } },
      auth: { roles: { public: { permissions: ['page.read'] } } },
    })
    expect((await cms.fetch('/api/pages')).headers.get('cache-control')).toBe(cacheControl)
  },
)
