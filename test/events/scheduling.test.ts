// Entries that are published and unpublished at moments that they name themselves.

import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, type Cms, type CmsOptions, createCms } from '../../src/index.ts'
import { loadLibsql } from '../../src/storage/drivers/sqlite/open-file.ts'
import { serversHere } from '../support/servers.ts'
import { openTestDatabase, type TestDatabase, testClient } from '../support/test-database.ts'

const waiting = { timeout: 30_000, interval: 10 }
const open: Cms[] = []
let database: TestDatabase | undefined
afterEach(async () => {
  for (const cms of open.splice(0)) await cms.close()
  await database?.drop()
  database = undefined
})

const START = Date.parse('2030-01-01T00:00:00.000Z')
/** The moment so many hours after the start. */
const after = (hours: number): string => new Date(START + hours * 3_600_000).toISOString()

const config = {
  events: true,
  contentTypes: { post: { drafts: true, schedule: true, attributes: { title: 'string!' } } },
  auth: { roles: { public: { permissions: ['api::post.post.find'] } } },
}

async function start(options: CmsOptions = {}, more: object = {}, at = START): Promise<Cms> {
  const cms = await createCms(
    { ...config, ...more },
    { clock: () => new Date(at), testing: true, ...options },
  )
  open.push(cms)
  return cms
}

async function shown(cms: Cms): Promise<readonly unknown[]> {
  const { data } = (await (await cms.fetch('/api/posts?sort=id')).json()) as {
    data: { attributes: Record<string, unknown> }[]
  }
  return data.map(({ attributes }) => attributes['title'])
}

/** What was done to which entry, beside writes of the test. */
function heardBy(cms: Cms): string[] {
  const heard: string[] = []
  void cms.on('post', ({ action, entryId }) => {
    if (action !== 'create') heard.push(`${action} ${entryId}`)
  })
  return heard
}

test('a draft is published and becomes a draft again when its moments have come', async () => {
  database = await openTestDatabase()
  const cms = await start(database.options)
  const heard = heardBy(cms)
  const posts = cms.entries('post')
  await posts.create({ title: 'a', publishedAt: null, publishAt: after(1), unpublishAt: after(3) })
  await posts.create({ title: 'b', publishedAt: null })
  expect(await shown(cms)).toEqual([])
  cms.advance('59min')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await shown(cms)).toEqual([])
  cms.advance('1min')
  await vi.waitFor(async () => expect(await shown(cms)).toEqual(['a']), waiting)
  expect(await posts.findOne(1)).toMatchObject({
    publishAt: null,
    unpublishAt: after(3),
    publishedAt: after(1),
  })
  cms.advance('2h')
  await vi.waitFor(async () => expect(await shown(cms)).toEqual([]), waiting)
  expect(await posts.findOne(1)).toMatchObject({ unpublishAt: null, publishedAt: null })
  await vi.waitFor(() => expect(heard).toEqual(['publish 1', 'unpublish 1']), waiting)
})

test('a moment counts once, and one that is moved counts no more', async () => {
  const cms = await start()
  const posts = cms.entries('post')
  await posts.create({ title: 'a', publishedAt: null, publishAt: after(1) })
  await posts.create({ title: 'b', publishedAt: null, publishAt: after(1) })
  await posts.update(2, { publishAt: after(5) })
  cms.advance('2h')
  await vi.waitFor(async () => expect(await shown(cms)).toEqual(['a']), waiting)
  await posts.update(1, { publishedAt: null })
  cms.advance('1h')
  await posts.create({ title: 'c', publishedAt: null, publishAt: after(1) })
  await vi.waitFor(async () => expect(await shown(cms)).toEqual(['c']), waiting)
})

test('what was due while nobody served is done at the next start, in order', async () => {
  database = await openTestDatabase(testClient() === 'memory' ? 'sqlite' : testClient())
  const first = await start(database.options)
  const posts = first.entries('post')
  const draft = { publishedAt: null }
  await posts.create({ title: 'a', ...draft, publishAt: after(1), unpublishAt: after(2) })
  await posts.create({ title: 'b', ...draft, publishAt: after(2), unpublishAt: after(1) })
  await posts.create({ title: 'c', publishAt: after(1) })
  await first.close()
  const second = await start(database.options, {}, START + 4 * 3_600_000)
  await vi.waitFor(async () => expect(await shown(second)).toEqual(['b', 'c']), waiting)
  for (const id of [1, 2, 3])
    await vi.waitFor(
      async () =>
        expect(await second.entries('post').findOne(id)).toMatchObject({
          publishAt: null,
          unpublishAt: null,
        }),
      waiting,
    )
})

test('an entry that cannot be published is named in the log, and keeps no other from it', async () => {
  const lines: string[] = []
  const cms = await start({
    log: (line) => void lines.push(line),
    lifecycles: {
      post: {
        beforeUpdate({ params }) {
          if (params.where?.['id'] === 1) throw new ApiError('ApplicationError', 'not this one')
        },
      },
    },
  })
  for (const title of ['a', 'b'])
    await cms.entries('post').create({ title, publishedAt: null, publishAt: after(1) })
  cms.advance('1h')
  await vi.waitFor(async () => expect(await shown(cms)).toEqual(['b']), waiting)
  expect(await cms.entries('post').findOne(1)).toMatchObject({ publishAt: after(1) })
  const named = () => lines.filter((line) => line.includes('post 1 could not be published'))
  // A look warns at its end, after it has published the others.
  await vi.waitFor(() => expect(named()).toHaveLength(1), waiting)
  expect(named()[0]).toContain('not this one')
})

/** More than a list of values in a condition may have. */
const MANY = 1_100

test('entries that cannot be written delay no other, are named once, and are tried again each minute', async () => {
  database = await openTestDatabase()
  const lines: string[] = []
  let attempts = 0
  const refuse: CmsOptions['lifecycles'] = {
    offer: {
      beforeUpdate({ params }) {
        if (params.data['unpublishAt'] !== null || params.where?.['id'] === MANY + 1) return
        attempts++
        throw new ApiError('ApplicationError', 'not this one')
      },
    },
  }
  const type = { drafts: true, schedule: true, attributes: { title: 'string!' } }
  const cms = await start(
    { ...database.options, log: (line) => void lines.push(line), lifecycles: refuse },
    {
      server: { metrics: true },
      contentTypes: { post: type, offer: type },
      auth: { roles: { public: { permissions: ['post.find', 'offer.find'] } } },
    },
  )
  const [posts, offers] = [cms.entries('post'), cms.entries('offer')]
  for (let count = 0; count < MANY; count++) {
    await posts.create({ publishedAt: null, publishAt: after(1) })
    await offers.create({ title: 'kept', unpublishAt: after(1) })
  }
  await posts.create({ title: 'good', publishedAt: null, publishAt: after(1) })
  await offers.create({ title: 'over', unpublishAt: after(1) })
  cms.advance('1h')
  await vi.waitFor(async () => expect(await shown(cms)).toEqual(['good']), waiting)
  await vi.waitFor(async () => expect((await offers.findOne(MANY + 1))?.publishedAt).toBeNull(), waiting)
  await vi.waitFor(() => expect(attempts).toBe(MANY), waiting)

  await offers.create({ title: 'later', unpublishAt: after(1) })
  await vi.waitFor(() => expect(attempts).toBe(MANY + 1), waiting)
  cms.advance('1min')
  await vi.waitFor(() => expect(attempts).toBe(2 * MANY + 2), waiting)

  const metrics = await (await cms.fetch('/metrics')).text()
  expect(metrics).toContain(`cms_schedule_overdue{type="api::post.post"} ${MANY}\n`)
  expect(metrics).toContain(`cms_schedule_overdue{type="api::offer.offer"} ${MANY + 1}\n`)

  const named = (text: string) => lines.filter((line) => line.includes(text))
  expect(named('post 1 could not be published')).toHaveLength(1)
  expect(named('offer 1 could not be unpublished')).toHaveLength(1)
  expect(named(`offer ${MANY + 2} could not be unpublished`)).toHaveLength(1)
  expect(named('not this one').every((line) => line.length < 4_000)).toBe(true)
  expect(named('could not be').length).toBeLessThan(10)
  expect(named('internal error')).toEqual([])
})

test('a content-type that cannot be asked delays no other', async () => {
  database = await openTestDatabase('sqlite')
  const type = { drafts: true, schedule: true, attributes: { title: 'string!' } }
  const cms = await start(database.options, {
    contentTypes: { broken: { ...type, collectionName: 'broken' }, post: type },
  })
  await cms.entries('post').create({ title: 'good', publishedAt: null, publishAt: after(1) })
  const { filename } = database.options.database as { readonly filename: string }
  const file = (await loadLibsql()).open(filename)
  file.exec('ALTER TABLE broken RENAME TO gone')
  file.close()
  cms.advance('1h')
  await vi.waitFor(async () => expect(await shown(cms)).toEqual(['good']), waiting)
})

test('attributes of other names, and one of the two alone', async () => {
  const post = {
    drafts: true,
    attributes: { title: 'string', embargo: 'datetime' },
    pluginOptions: { scheduling: { publishAt: 'embargo' } },
  }
  const cms = await start({}, { contentTypes: { post } })
  await cms.entries('post').create({ title: 'a', publishedAt: null, embargo: after(-1) })
  await vi.waitFor(async () => expect(await shown(cms)).toEqual(['a']), waiting)
})

// A file belongs to one process.
test.each(await serversHere())(
  'of several processes one publishes, and another goes on when it ends: %s',
  async (client) => {
    database = await openTestDatabase(client)
    const [one, two] = [await start(database.options), await start(database.options)]
    const heard = heardBy(one)
    const later = heardBy(two)
    const make = (hours: number): Promise<unknown> =>
      two.entries('post').create({ title: 'x', publishedAt: null, publishAt: after(hours) })
    for (let count = 0; count < 20; count++) await make(1)
    one.advance('1h')
    two.advance('1h')
    await vi.waitFor(() => expect(heard).toHaveLength(20), waiting)
    expect(new Set(heard).size).toBe(20)
    await one.close()
    open.splice(open.indexOf(one), 1)
    await make(1)
    await vi.waitFor(() => expect(later.at(-1)).toBe('publish 21'), waiting)
    expect(later).toHaveLength(21)
  },
)
