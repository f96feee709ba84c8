// Events of documents: who is told what of drafts and published versions, over server-sent events, webhooks, GraphQL
// and in programs; and documents that are published at moments of their own.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from 'graphql-sse'
import { afterEach, expect, test, vi } from 'vitest'
import { type Cms, type CmsChange, type CmsOptions, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type Listening, listenTo } from './event-source.ts'

const waiting = { timeout: 30_000, interval: 10 }
let cms: Cms | undefined
let database: TestDatabase | undefined
afterEach(async () => {
  await cms?.close()
  await database?.drop()
  cms = undefined
  database = undefined
})

const START = Date.parse('2030-01-01T00:00:00.000Z')
const after = (hours: number): string => new Date(START + hours * 3_600_000).toISOString()

const config = {
  dialect: 'strapi-5',
  events: true,
  plugins: { i18n: { config: { locales: ['en', 'fr'] } } },
  contentTypes: {
    article: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
        tag: { type: 'string', pluginOptions: { i18n: { localized: false } } },
        note: { type: 'string', private: true, pluginOptions: { i18n: { localized: true } } },
      },
    },
    post: { drafts: true, schedule: true, attributes: { title: 'string!', open: 'boolean' } },
    tag: { attributes: { name: 'string' } },
  },
  auth: {
    roles: {
      public: {
        permissions: ['article.find', 'tag.find', { 'api::post.post.find': { where: 'open == true' } }],
      },
    },
    apiTokens: [{ name: 'editor', token: 'a token of somebody who edits', type: 'full-access' }],
  },
}
const editor = { authorization: 'Bearer a token of somebody who edits' }

async function open(more: object = {}, options: CmsOptions = {}): Promise<Cms> {
  database = await openTestDatabase()
  cms = await createCms({ ...config, ...more }, { env: {}, ...options, ...database.options })
  return cms
}

function told({ events }: Listening): readonly string[] {
  return events.map(({ data }) =>
    [data['action'], data['locale'], (data['entry'] as { title?: string } | null)?.title]
      .filter(Boolean)
      .join(' '),
  )
}

test('who asks for published versions learns nothing of drafts; who asks for drafts is told all', async () => {
  const { fetch, entries } = await open()
  const live = await listenTo(fetch, '/api/_events?types=article&locale=*')
  const drafts = await listenTo(fetch, '/api/_events?types=article&status=draft', editor)
  const articles = entries('article')
  const { documentId } = (await articles.create(
    { title: 'a', note: 'secret' },
    { status: 'draft' },
  )) as unknown as {
    documentId: string
  }
  const until = (listener: Listening, count: number): Promise<unknown> =>
    vi.waitFor(() => expect(told(listener)).toHaveLength(count), waiting)
  await until(drafts, 1)
  await articles.update(documentId, { title: 'b' }, { status: 'draft' })
  await until(drafts, 2)
  await articles.publish(documentId)
  await until(drafts, 3)
  await articles.update(documentId, { title: 'c' }, { status: 'draft' })
  await until(drafts, 4)
  await articles.discardDraft(documentId)
  await until(drafts, 5)
  await articles.update(documentId, { title: 'd' })
  await until(drafts, 7)
  await articles.unpublish(documentId)
  await until(drafts, 8)
  await articles.delete(documentId)
  await until(drafts, 9)
  expect(told(drafts)).toEqual([
    'create en a',
    'update en b',
    'publish en b',
    'update en c',
    'draft-discard en b',
    'update en d',
    'publish en d',
    'unpublish en d',
    'delete en',
  ])
  await articles.create({ title: 'end' })
  await vi.waitFor(() => expect(told(live).at(-1)).toBe('publish en end'), waiting)
  expect(told(live)).toEqual(['publish en b', 'publish en d', 'delete en', 'publish en end'])
  const [first, , gone] = live.events
  expect(first?.data).toMatchObject({
    type: 'article',
    documentId,
    status: 'published',
    locale: 'en',
    entry: { documentId, publishedAt: expect.any(String) },
  })
  expect(first?.data).not.toHaveProperty('id')
  expect(gone?.data).toMatchObject({ documentId, status: 'published', entry: null })
  expect(drafts.events[2]?.data).toMatchObject({ documentId, status: 'draft', entry: { publishedAt: null } })
  expect(JSON.stringify([live.events, drafts.events])).not.toMatch(/secret|note/)
})

test('the entry is the one that REST answers, whoever publishes it again meanwhile', async () => {
  const { fetch, entries } = await open()
  const heard = await listenTo(fetch, '/api/_events?types=article')
  const { documentId } = await entries('article').create({ title: 'a' })
  for (const title of ['b', 'c', 'd']) await entries('article').update(String(documentId), { title })
  await vi.waitFor(() => expect(told(heard)).toHaveLength(4), waiting)
  const { data } = (await (
    await fetch(`/api/articles?filters[documentId]=${String(documentId)}`)
  ).json()) as {
    data: unknown[]
  }
  expect(heard.events.at(-1)?.data['entry']).toEqual(data[0])
  for (const { data: one } of heard.events) expect(one['entry']).not.toBeNull()
})

test('locales: a shared value changes the versions of the others, and a locale that is asked for is the only one', async () => {
  const { fetch, entries } = await open()
  const every = await listenTo(fetch, '/api/_events?types=article')
  const french = await listenTo(fetch, '/api/_events?types=article&locale=fr')
  const drafts = await listenTo(fetch, '/api/_events?types=article&locale=fr&status=draft', editor)
  const articles = entries('article')
  const { documentId } = await articles.create({ title: 'one', tag: 'x' })
  const id = String(documentId)
  await articles.update(id, { title: 'un' }, { locale: 'fr' })
  await articles.update(id, { tag: 'y' })
  // What a receiver may see is asked when it is told: this is past before the rest.
  await vi.waitFor(() => expect(told(every)).toHaveLength(5), waiting)
  await vi.waitFor(() => expect(told(french)).toHaveLength(2), waiting)
  await articles.update(id, { tag: 'z' }, { status: 'draft' })
  await articles.discardDraft(id)
  await vi.waitFor(() => expect(told(drafts)).toHaveLength(5), waiting)
  await articles.delete(id, { locale: 'fr' })
  await articles.delete(id)
  await vi.waitFor(() => expect(told(every).at(-1)).toBe('delete en'), waiting)
  await vi.waitFor(() => expect(told(french).at(-1)).toBe('delete fr'), waiting)
  const actions = ({ events }: Listening): unknown[] =>
    events.map(({ data }) => `${data['action']} ${data['locale']}`)
  expect(actions(french)).toEqual(['publish fr', 'update fr', 'delete fr'])
  expect(actions(every)).toEqual([
    'publish en',
    'publish fr',
    'update en',
    'publish en',
    'update fr',
    'delete fr',
    'delete en',
  ])
})

test('rules: a document that leaves sight by publishing is gone, and a hidden draft is not told of', async () => {
  const { fetch, entries } = await open()
  const heard = await listenTo(fetch, '/api/_events?types=post,tag')
  const posts = entries('post')
  const { documentId } = await posts.create({ title: 'seen', open: true })
  const id = String(documentId)
  await vi.waitFor(() => expect(told(heard)).toEqual(['publish seen']), waiting)
  await posts.update(id, { open: false }, { status: 'draft' })
  await posts.publish(id)
  await vi.waitFor(() => expect(told(heard)).toEqual(['publish seen', 'delete']), waiting)
  await posts.update(id, { title: 'hidden' })
  await posts.unpublish(id)
  await posts.delete(id)
  await entries('tag').create({ name: 'end' })
  await vi.waitFor(() => expect(heard.events.at(-1)?.data['type']).toBe('tag'), waiting)
  expect(told(heard)).toHaveLength(3)
  // A type without drafts has no status.
  expect(heard.events.at(-1)?.data).toMatchObject({ action: 'create', id: 1, documentId: expect.any(String) })
  expect(heard.events.at(-1)?.data).not.toHaveProperty('status')
})

test('drafts are refused to those who may not see them', async () => {
  const { fetch } = await open({ rest: { publicDrafts: false } })
  expect((await fetch('/api/_events?types=article&status=draft')).status).toBe(403)
  expect((await fetch('/api/_events?types=article&status=daft', { headers: editor })).status).toBe(400)
})

test("webhooks are sent Strapi 5's events and payload", async () => {
  const messages: { event: string; entry: Record<string, unknown>; uid: string }[] = []
  const names: unknown[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    messages.push(JSON.parse(text) as (typeof messages)[number])
    names.push(request.headers['x-strapi-event'])
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { entries } = await open({ webhooks: [{ url }] })
    const articles = entries('article')
    const { documentId } = await articles.create({ title: 'a', note: 'secret' })
    const id = String(documentId)
    await articles.unpublish(id)
    await articles.publish(id)
    await articles.discardDraft(id)
    await articles.delete(id)
    await vi.waitFor(() => expect(messages).toHaveLength(7), waiting)
    expect(messages.map(({ event, entry }) => [event, entry['publishedAt'] === null])).toEqual([
      ['entry.create', true],
      ['entry.publish', false],
      ['entry.unpublish', false],
      ['entry.publish', false],
      ['entry.draft-discard', true],
      ['entry.delete', true],
      ['entry.delete', false],
    ])
    expect(names).toEqual(messages.map(({ event }) => event))
    for (const { entry, uid } of messages)
      expect([uid, entry]).toEqual([
        'api::article.article',
        expect.objectContaining({ documentId, locale: 'en' }),
      ])
    expect(JSON.stringify(messages)).not.toMatch(/secret|note/)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('webhooks have what is related, in the version of the document, and nothing private', async () => {
  const messages: { event: string; uid: string; entry: Record<string, unknown> }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    messages.push(JSON.parse(text) as (typeof messages)[number])
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { entries } = await open({
      webhooks: [{ url }],
      components: {
        'shop.part': {
          attributes: { size: 'integer', code: { type: 'string', private: true }, brand: 'brand' },
        },
        'shop.box': { attributes: { part: { type: 'component', component: 'shop.part' } } },
      },
      contentTypes: {
        brand: { drafts: true, attributes: { name: 'string', cost: { type: 'integer', private: true } } },
        ware: {
          drafts: true,
          attributes: {
            name: 'string',
            brand: 'brand',
            others: ['ware'],
            rival: { type: 'relation', relation: 'oneToOne', target: 'api::brand.brand', private: true },
            owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
            box: { type: 'component', component: 'shop.box' },
            zone: { type: 'dynamiczone', components: ['shop.part'] },
          },
        },
        price: { attributes: { amount: 'integer', ware: 'ware' } },
      },
      auth: { roles: { public: { permissions: [] } } },
      data: {
        'plugin::users-permissions.user': [
          { id: 1, username: 'ann', email: 'ann@example.com', password: 'secret-password' },
        ],
      },
    })
    const brand = await entries('brand').create({ name: 'b', cost: 4711 })
    const part = { size: 1, code: 'secret-code', brand: brand.documentId }
    const ware = await entries('ware').create({
      ...{ name: 'w', brand: brand.documentId, rival: brand.documentId, owner: 1 },
      ...{ box: { part }, zone: [{ __component: 'shop.part', ...part }] },
    })
    await entries('price').create({ amount: 5, ware: ware.documentId })
    await vi.waitFor(() => expect(messages).toHaveLength(5), waiting)
    const sent = (name: string, event: string) =>
      messages.find((one) => one.uid === `api::${name}.${name}` && one.event === `entry.${event}`)
    const [draft, published] = [sent('ware', 'create'), sent('ware', 'publish')]
    const price = sent('price', 'create')
    const named = (publishedAt: unknown) =>
      expect.objectContaining({ documentId: brand.documentId, publishedAt })
    for (const [message, publishedAt] of [
      [draft, null],
      [published, expect.any(String)],
    ] as const)
      expect(message?.entry).toMatchObject({
        documentId: ware.documentId,
        brand: named(publishedAt),
        others: [],
        owner: { username: 'ann' },
        box: { part: { size: 1, brand: named(publishedAt) } },
        zone: [{ __component: 'shop.part', size: 1, brand: named(publishedAt) }],
      })
    expect(price?.entry).toMatchObject({
      amount: 5,
      ware: { documentId: ware.documentId, publishedAt: expect.any(String) },
    })
    expect(JSON.stringify(messages)).not.toMatch(/secret|4711|rival|password|cost/)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('GraphQL subscriptions say documentId and status, and show entries without an envelope', async () => {
  const running = await open({ plugins: { ...config.plugins, graphql: {} } })
  const { url } = await running.listen(0, '127.0.0.1')
  const heard: unknown[] = []
  const client = createClient({ url: `${url}/graphql`, retryAttempts: 0 })
  const query =
    'subscription { articleChanged { action documentId status locale entry { documentId title } } }'
  const errors: unknown[] = []
  client.subscribe(
    { query },
    {
      next: ({ data, errors: faults }) =>
        void (faults ? errors.push(faults) : heard.push(data?.['articleChanged'])),
      error: (error) => errors.push(error),
      complete: () => {},
    },
  )
  await vi.waitFor(async () => {
    await running.entries('article').create({ title: 'draft' }, { status: 'draft' })
    await running.entries('article').create({ title: 'a' })
    expect([errors, heard.length > 0]).toEqual([[], true])
  }, waiting)
  expect(heard[0]).toEqual({
    action: 'publish',
    documentId: expect.any(String),
    status: 'PUBLISHED',
    locale: 'en',
    entry: { documentId: (heard[0] as { documentId: string }).documentId, title: 'a' },
  })
  expect(JSON.stringify(heard)).not.toContain('"title":"draft"')
  client.dispose()
})

test('a program hears both versions', async () => {
  const { entries, on } = await open()
  const heard: CmsChange[] = []
  await on('article', (change) => void heard.push(change))
  const { documentId } = await entries('article').create({ title: 'a' })
  await vi.waitFor(() => expect(heard).toHaveLength(2), waiting)
  expect(heard.map((one) => [one.action, one.status, one.locale, one.documentId])).toEqual([
    ['create', 'draft', 'en', documentId],
    ['publish', 'published', 'en', documentId],
  ])
})

test('a draft is published, and what is published taken away, when its moment has come', async () => {
  const running = await open({}, { clock: () => new Date(START), testing: true })
  const posts = running.entries('post')
  const shown = async (): Promise<unknown[]> =>
    (await posts.findMany({ status: 'published', sort: 'title' })).map(({ title }) => title)
  const { documentId } = await posts.create(
    { title: 'a', publishAt: after(1), unpublishAt: after(3) },
    { status: 'draft' },
  )
  const id = String(documentId)
  await posts.create({ title: 'old' })
  const [old] = await posts.findMany({ filters: { title: 'old' } })
  await posts.update(String(old?.['documentId']), { title: 'new', publishAt: after(1) }, { status: 'draft' })
  expect(await shown()).toEqual(['old'])
  running.advance('1h')
  await vi.waitFor(async () => expect(await shown()).toEqual(['a', 'new']), waiting)
  expect(await posts.findOne(id)).toMatchObject({ publishAt: null, unpublishAt: after(3) })
  running.advance('2h')
  await vi.waitFor(async () => expect(await shown()).toEqual(['new']), waiting)
  expect(await posts.findOne(id)).toMatchObject({ title: 'a', unpublishAt: null, publishedAt: null })
})

test('each change says who made it, whichever way it was written', async () => {
  const running = await open({
    plugins: { ...config.plugins, graphql: true },
    contentTypes: {
      ...config.contentTypes,
      home: { kind: 'singleType', drafts: true, attributes: { title: 'string' } },
    },
  })
  const heard: CmsChange[] = []
  await running.on('*', (change) => void heard.push(change))
  const headers = { ...editor, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer = await running.fetch(path, init)
    expect(answer.status).toBeLessThan(300)
    const text = await answer.text()
    expect(text).not.toContain('"errors"')
    return text
  }
  const data = { title: 'a' }
  const { documentId } = (
    JSON.parse(await send('POST', '/api/articles', { data })) as { data: { documentId: string } }
  ).data
  const path = `/api/articles/${documentId}`
  await send('PUT', path, { data: { tag: 'b' } })
  await send('PUT', `${path}?locale=fr`, { data })
  for (const action of ['unpublish', 'publish', 'discard']) await send('POST', `${path}/actions/${action}`)
  await send('DELETE', `${path}?locale=*`)
  await send('PUT', '/api/home', { data })
  await send('DELETE', '/api/home')
  const mutate = (mutation: string) => send('POST', '/graphql', { query: `mutation { ${mutation} }` })
  const made = await mutate('createArticle(data: { title: "a" }) { documentId }')
  const id = /"documentId":"(\w+)"/.exec(made)?.[1]
  await mutate(`updateArticle(documentId: "${id}", data: { title: "b" }) { documentId }`)
  await mutate(`deleteArticle(documentId: "${id}") { documentId }`)
  const last = await running.entries('tag').create({ name: 'end' })
  await vi.waitFor(() => expect(heard.at(-1)?.documentId).toBe(last.documentId), waiting)
  expect(new Set(heard.slice(0, -1).map(({ action }) => action))).toEqual(
    new Set(['create', 'update', 'publish', 'unpublish', 'draft-discard', 'delete']),
  )
  for (const change of heard.slice(0, -1))
    expect(change).toMatchObject({ by: { kind: 'api-token', name: 'editor' } })
  // The program's own code.
  expect(heard.at(-1)?.by).toBeUndefined()
})
