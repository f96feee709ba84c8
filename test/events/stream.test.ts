// Server-sent events: who is told what, in which order, and how a receiver goes on.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Cms, type CmsOptions, createCms } from '../../src/index.ts'
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

const config = {
  events: true,
  contentTypes: {
    article: {
      attributes: { title: 'string', note: { type: 'string', private: true }, owner: 'integer' },
    },
    post: { attributes: { title: 'string' }, options: { draftAndPublish: true } },
    note: { attributes: { title: 'string', open: 'boolean' } },
  },
  auth: {
    roles: {
      public: {
        permissions: [
          'api::article.article.find',
          'api::article.article.findOne',
          'api::post.post.find',
          { 'api::note.note.find': { where: 'open == true' } },
        ],
      },
    },
  },
}

function told({ events }: Listening): readonly string[] {
  return events.map(({ event, data }) => (event === 'message' ? `${data['action']} ${data['id']}` : event))
}

async function open(more: Readonly<Record<string, unknown>> = {}, options: CmsOptions = {}): Promise<Cms> {
  database = await openTestDatabase()
  cms = await createCms({ ...config, ...more }, { ...options, ...database.options })
  return cms
}

describe('a receiver', () => {
  test('is told what is created, updated and deleted, with the entry as REST answers it', async () => {
    const { fetch, entries } = await open()
    const heard = await listenTo(fetch, '/api/_events?types=article')
    const { id } = await entries('article').create({ title: 'a', note: 'secret' })
    await entries('article').update(id, { title: 'b', note: 'other' })
    await vi.waitFor(() => expect(told(heard)).toEqual(['create 1', 'update 1']), waiting)
    await entries('article').delete(id)
    await vi.waitFor(() => expect(told(heard)).toEqual(['create 1', 'update 1', 'delete 1']), waiting)
    const [, update, removal] = heard.events
    expect(update?.data).toMatchObject({
      type: 'article',
      uid: 'api::article.article',
      changed: ['title'],
      entry: { id: 1, attributes: { title: 'b' } },
    })
    expect(JSON.stringify(heard.events)).not.toMatch(/secret|other|note/)
    expect(removal?.data).toMatchObject({ entry: null, changed: [] })
  })

  test('goes on after the last event that it has, without loss or repetition', async () => {
    const { fetch, entries } = await open()
    const first = await listenTo(fetch, '/api/_events')
    await entries('article').create({ title: 'a' })
    await vi.waitFor(() => expect(told(first)).toEqual(['create 1']), waiting)
    await first.stop()
    for (let count = 0; count < 450; count++) await entries('article').create({ title: 'more' })
    const again = await listenTo(fetch, '/api/_events', { 'last-event-id': String(first.lastId()) })
    await entries('article').create({ title: 'last' })
    await vi.waitFor(() => expect(again.events).toHaveLength(451), waiting)
    expect(told(again)).toEqual(Array.from({ length: 451 }, (_, index) => `create ${index + 2}`))
  })

  test('makes one request, however much it is told', async () => {
    const { fetch, entries } = await open({ server: { limits: { rate: { max: 20, interval: '1h' } } } })
    const heard = await listenTo(fetch, '/api/_events?types=article')
    for (let count = 1; count <= 30; count++) {
      await entries('article').create({ title: 'a' })
      await vi.waitFor(() => expect(told(heard)).toHaveLength(count), waiting)
    }
    expect(told(heard).at(-1)).toBe('create 30')
  })

  test('that was away for too long is told to read everything again', async () => {
    const { fetch, entries } = await open()
    await entries('article').create({ title: 'a' })
    const heard = await listenTo(fetch, '/api/_events', { 'last-event-id': 'another.7' })
    await entries('article').create({ title: 'b' })
    await vi.waitFor(() => expect(told(heard)).toEqual(['reset', 'create 2']), waiting)
  })

  test('is told the same by a database in memory, which keeps 50,000 events', async () => {
    cms = await createCms(config)
    const { fetch, entries } = cms
    const first = await listenTo(fetch, '/api/_events')
    const { id } = await entries('article').create({ title: 'a' })
    await vi.waitFor(() => expect(told(first)).toEqual(['create 1']), waiting)
    await first.stop()
    const last = String(first.lastId())
    const change = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done++) await entries('article').update(id, { owner: done })
    }
    await change(49_500)
    const soon = await listenTo(fetch, '/api/_events', { 'last-event-id': last })
    await vi.waitFor(() => expect(soon.events.length).toBeGreaterThan(0), waiting)
    await soon.stop()
    expect(told(soon)[0]).toBe('update 1')
    await change(2_500)
    const late = await listenTo(fetch, '/api/_events', { 'last-event-id': last })
    await vi.waitFor(() => expect(told(late)).toEqual(['reset']), waiting)
  })

  test('learns of no draft, and that an entry is gone when it is unpublished', async () => {
    const { fetch, entries } = await open()
    const heard = await listenTo(fetch, '/api/_events')
    const { id } = await entries('post').create({ title: 'a', publishedAt: null })
    await entries('post').update(id, { title: 'b' })
    // What a receiver may see is asked when it is told: the draft's changes are past before it is published.
    await entries('post').create({ title: 'past' })
    await vi.waitFor(() => expect(told(heard)).toEqual(['create 2']), waiting)
    await entries('post').update(id, { publishedAt: '2030-01-01T00:00:00.000Z' })
    await entries('post').update(id, { title: 'c' })
    await vi.waitFor(() => expect(told(heard)).toEqual(['create 2', 'publish 1', 'update 1']), waiting)
    await entries('post').update(id, { publishedAt: null })
    await entries('post').delete(id)
    await entries('post').create({ title: 'end' })
    await vi.waitFor(() => expect(told(heard).at(-1)).toBe('create 3'), waiting)
    expect(told(heard)).toEqual(['create 2', 'publish 1', 'update 1', 'delete 1', 'create 3'])
  })

  test('is told by its rules: of an entry that leaves its sight, that it is gone', async () => {
    const { fetch, entries } = await open()
    const heard = await listenTo(fetch, '/api/_events?types=note')
    const hidden = await entries('note').create({ title: 'hidden', open: false })
    await entries('note').update(hidden.id, { title: 'still hidden' })
    await entries('note').delete(hidden.id)
    const { id } = await entries('note').create({ title: 'a', open: true })
    await vi.waitFor(() => expect(told(heard)).toEqual([`create ${id}`]), waiting)
    await entries('note').update(id, { open: false })
    await vi.waitFor(() => expect(told(heard)).toEqual([`create ${id}`, `delete ${id}`]), waiting)
    await entries('note').update(id, { title: 'out of sight' })
    await entries('note').update(id, { open: true })
    await vi.waitFor(() => expect(told(heard).at(-1)).toBe(`update ${id}`), waiting)
    expect(told(heard)).toHaveLength(3)
  })

  test('with filters is told of the entries that match, and when one does not match any more', async () => {
    const { fetch, entries } = await open()
    const heard = await listenTo(fetch, '/api/_events?types=article&filters[owner]=1&fields=title')
    await entries('article').create({ title: 'other', owner: 2 })
    const { id } = await entries('article').create({ title: 'own', owner: 1 })
    await entries('article').update(id, { title: 'own, changed' })
    await vi.waitFor(() => expect(told(heard)).toEqual([`create ${id}`, `update ${id}`]), waiting)
    await entries('article').update(id, { owner: 2 })
    await vi.waitFor(() => expect(told(heard).at(-1)).toBe(`delete ${id}`), waiting)
    expect(heard.events[1]?.data['entry']).toMatchObject({ id, attributes: { title: 'own, changed' } })
  })

  test('is told nothing of work that was undone, and all of a transaction at its end', async () => {
    const { fetch, entries } = await open(
      {},
      {
        lifecycles: {
          article: {
            async afterCreate({ result }: { result: Record<string, unknown> }) {
              await cms?.entries('note').create({ title: String(result['title']), open: true })
              if (result['title'] === 'undone') throw new Error('no')
            },
          },
        } as never,
      },
    )
    const heard = await listenTo(fetch, '/api/_events')
    await expect(entries('article').create({ title: 'undone' })).rejects.toThrow()
    await entries('article').create({ title: 'done' })
    await vi.waitFor(() => expect(heard.events).toHaveLength(2), waiting)
    expect(heard.events.map(({ data }) => [data['action'], data['type'], data['changed']])).toEqual([
      ['create', 'article', ['title']],
      ['create', 'note', ['title', 'open']],
    ])
  })
})

describe('refused is', () => {
  test.each([
    ['types=artcle', 400, 'Did you mean article?'],
    ['types=article&filters[titel]=x', 400, 'titel'],
    ['types=article&sort=title', 400, 'order of their own'],
    ['types=secret', 400, 'Unknown content-type'],
    ['types[$eq]=article', 400, 'Invalid parameter types'],
    ['types[]=article&types[][a]=b', 400, 'Invalid parameter types'],
  ])('%s', async (query, status, text) => {
    const { fetch } = await open()
    const response = await fetch(`/api/_events?${query}`)
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)])
  })

  test('a caller who may find none of them', async () => {
    const { fetch } = await open({ auth: { roles: { public: { permissions: [] } } } })
    expect((await fetch('/api/_events')).status).toBe(403)
    expect((await fetch('/api/_events?types=article')).status).toBe(403)
  })

  test('everything where nobody asked for events', async () => {
    const { fetch } = await open({ events: false })
    expect((await fetch('/api/_events')).status).toBe(404)
  })
})
