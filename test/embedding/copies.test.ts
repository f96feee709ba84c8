// What a snapshot holds, and what putting it back costs.

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
