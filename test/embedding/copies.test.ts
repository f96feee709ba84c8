// What a snapshot holds, and what putting it back costs.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { PNG } from '../upload/open-library.ts'

const everything = ['article.*', 'plugin::upload.content-api.*', 'plugin::users-permissions.auth.*']

const config = {
  contentTypes: { article: { attributes: { title: 'string', cover: 'media' } } },
  plugins: {
    email: true,
    graphql: true,
    upload: true,
    'users-permissions': { config: { ratelimit: { enabled: true, interval: 3_600_000, max: 2 } } },
  },
  auth: {
    roles: { public: { permissions: everything }, authenticated: { permissions: everything } },
    users: [{ username: 'ann', email: 'ann@example.com', password: 'correct horse', confirmed: true }],
  },
  data: { article: [{ title: 'first' }] },
}

function json(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

test('content, ids, uploads, mails and the counters of limits come back', async () => {
  await using cms = await createCms(config, { env: {}, testing: true })
  const login = async (): Promise<number> =>
    (await cms.fetch('/api/auth/local', json({ identifier: 'ann', password: 'wrong' }))).status
  const state = async (): Promise<unknown> => ({
    articles: await (await cms.fetch('/api/articles')).json(),
    graphql: await cms.graphql('{ articles { data { id attributes { title } } } }'),
    files: await (await cms.fetch('/api/upload/files')).json(),
    mails: cms.outbox.length,
  })
  const change = async (): Promise<unknown> => {
    const form = new FormData()
    form.append('files', new Blob([PNG], { type: 'image/png' }), 'cover.png')
    expect((await cms.fetch('/api/upload', { method: 'POST', body: form })).status).toBe(200)
    await cms.fetch('/api/auth/forgot-password', json({ email: 'ann@example.com' }))
    await expect.poll(() => cms.outbox.length).toBe(1)
    const created = await cms.fetch('/api/articles', json({ data: { title: 'more' } }))
    const { data } = (await created.json()) as { data: { id: number } }
    expect([await login(), await login(), await login()]).toEqual([400, 400, 429])
    return data.id
  }
  const snapshot = cms.snapshot()
  const before = await state()
  const id = await change()
  expect(await state()).not.toEqual(before)
  cms.restore(snapshot)
  expect(await state()).toEqual(before)
  expect(await change()).toBe(id)
})

test('putting one entry of many back costs a small part of putting everything back', async () => {
  await using cms = await createCms(
    {
      ...config,
      data: { article: Array.from({ length: 3000 }, (_, index) => ({ title: `number ${index}` })) },
    },
    { env: {}, testing: true },
  )
  await using other = await createCms(config, { env: {}, testing: true })
  const snapshot = cms.snapshot()
  const spent = async (task: () => void): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < 9; round++) {
      await cms.entries('article').update(1, { title: `round ${round}` })
      const start = performance.now()
      task()
      times.push(performance.now() - start)
    }
    return times.sort((one, two) => one - two)[2] ?? 0
  }
  const few = await spent(() => cms.restore(snapshot))
  // Another instance's tables are the same, and none of its pages are.
  const foreign = other.snapshot()
  const all = await spent(() => {
    cms.restore(foreign)
    cms.restore(snapshot)
  })
  expect(few).toBeLessThan(all)
})

test('whoever follows the changes goes on after the restoration', async () => {
  await using cms = await createCms(
    {
      events: true,
      contentTypes: { article: { attributes: { title: 'string' } } },
      auth: { roles: { public: { permissions: ['article.*'] } } },
    },
    { env: {} },
  )
  const heard: unknown[] = []
  await cms.on('article', ({ entryId, action }) => heard.push(`${action} ${entryId}`))
  const iterated: unknown[] = []
  const changes = cms.changes()
  const iteration = (async () => {
    for await (const { entryId, action } of changes) iterated.push(`${action} ${entryId}`)
  })()
  const stop = new AbortController()
  const stream = await cms.fetch('/api/_events', { signal: stop.signal })
  let sent = ''
  void (async () => {
    for await (const piece of stream.body ?? []) sent += Buffer.from(piece).toString()
  })().catch(() => {})
  const told = (): readonly string[] =>
    [...sent.matchAll(/"action":"(\w+)".*?"id":(\d+)/g)].map(([, action, id]) => `${action} ${id}`)

  await cms.entries('article').create({ title: 'before' })
  await expect.poll(() => [heard.length, iterated.length, told().length]).toEqual([1, 1, 1])
  const snapshot = cms.snapshot()
  const first = ['create 1']
  for (let round = 1; round <= 3; round++) {
    // As many as before, and at once: no number tells that it is another event.
    await cms.entries('article').create({ title: 'second' })
    await cms.entries('article').update(2, { title: 'changed' })
    const all = [...first, ...Array.from({ length: round }, () => ['create 2', 'update 2']).flat()]
    await expect.poll(() => heard).toEqual(all)
    await expect.poll(() => iterated).toEqual(all)
    await expect.poll(told).toEqual(all)
    cms.restore(snapshot)
  }
  stop.abort()
  await changes.return?.()
  await iteration
})

test('webhooks deliver what comes after the restoration, and nothing twice', async () => {
  const bodies: { readonly event: string; readonly entry: { readonly title: string } }[] = []
  const receiver = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      bodies.push(body)
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  {
    await using cms = await createCms(
      {
        contentTypes: { article: { attributes: { title: 'string' } } },
        events: true,
        webhooks: [{ url: `http://127.0.0.1:${port}/`, events: ['entry.create'], allowPrivate: true }],
      },
      { env: {} },
    )
    const snapshot = cms.snapshot()
    for (const title of ['one', 'two', 'three']) {
      await cms.entries('article').create({ title })
      await expect.poll(() => bodies.at(-1)?.entry.title, { timeout: 60_000 }).toBe(title)
      cms.restore(snapshot)
    }
  }
  receiver.closeAllConnections()
  receiver.close()
  expect(bodies.map(({ entry }) => entry.title)).toEqual(['one', 'two', 'three'])
})

test('the limit of requests begins again', async () => {
  await using cms = await createCms(
    {
      server: { limits: { rate: { max: 40, interval: '1h' } } },
      contentTypes: { article: { attributes: { title: 'string' } } },
      auth: { roles: { public: { permissions: ['article.*'] } } },
    },
    { env: {} },
  )
  const snapshot = cms.snapshot()
  const allowed = async (): Promise<number> => {
    for (let count = 0; ; count++) if ((await cms.fetch('/api/articles')).status === 429) return count
  }
  expect(await allowed()).toBe(40)
  cms.restore(snapshot)
  expect(await allowed()).toBe(40)
})

async function bodyOf(request: AsyncIterable<Uint8Array>): Promise<never> {
  const pieces: Uint8Array[] = []
  for await (const piece of request) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString()) as never
}
