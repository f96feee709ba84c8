// `cms.on` and `cms.changes`: the changes for the program that embeds the CMS, also over a reload.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type Cms, type CmsChange, createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'

const waiting = { timeout: 30_000, interval: 10 }
const config = {
  events: true,
  contentTypes: { article: { attributes: { title: 'string' } }, note: { attributes: { text: 'string' } } },
  auth: {
    apiTokens: [{ name: 'editor', type: 'full-access', token: 'a-token-for-this-test' }],
    roles: { public: { permissions: ['api::note.note.create'] } },
  },
}

let cms: Cms | undefined
afterEach(() => cms?.close())

test('a listener hears the changes of its type, with who made them', async () => {
  cms = await createCms(config)
  const heard: CmsChange[] = []
  const stop = await cms.on('article', (change) => heard.push(change))
  await cms.entries('note').create({ text: 'not heard' })
  await cms.entries('article').create({ title: 'a' })
  const headers = { authorization: 'Bearer a-token-for-this-test', 'content-type': 'application/json' }
  const body = JSON.stringify({ data: { title: 'b' } })
  expect((await cms.fetch('/api/articles/1', { method: 'PUT', headers, body })).status).toBe(200)
  await vi.waitFor(() => expect(heard).toHaveLength(2), waiting)
  expect(heard[0]).toMatchObject({ action: 'create', type: 'article', entryId: 1, by: undefined })
  expect(heard[1]).toMatchObject({
    action: 'update',
    changed: ['title'],
    by: { kind: 'api-token', name: 'editor' },
  })
  stop()
  await cms.entries('article').create({ title: 'c' })
  const all: CmsChange[] = []
  for await (const change of cms.changes({ after: String(heard[1]?.id) })) {
    all.push(change)
    break
  }
  expect(all).toMatchObject([{ action: 'create', entryId: 2 }])
  expect(heard).toHaveLength(2)
})

test('an iteration goes on over a reload, and ends with the instance', async () => {
  const file = join(newFolder(), 'cms.yaml')
  const yaml = (type: string) =>
    `events: true\ncontentTypes:\n  article: { title: string }\n  ${type}: { a: string }\n`
  writeFileSync(file, yaml('one'))
  cms = await createCms(file, { env: {} })
  const heard: string[] = []
  const iteration = (async (changes: AsyncIterable<CmsChange>) => {
    for await (const { type, entryId } of changes) heard.push(`${type} ${entryId}`)
  })(cms.changes())
  await cms.entries('article').create({ title: 'a' })
  await vi.waitFor(() => expect(heard).toEqual(['article 1']), waiting)
  writeFileSync(file, yaml('two'))
  await cms.reload()
  await cms.entries('article').create({ title: 'b' })
  await cms.entries('two').create({ a: 'b' })
  await vi.waitFor(() => expect(heard).toEqual(['article 1', 'article 2', 'two 1']), waiting)
  await cms.close()
  await iteration
})

test('a type that is not there and events that are off are said', async () => {
  cms = await createCms(config)
  await expect(cms.on('artcle', () => {})).rejects.toThrow('there is no content-type "artcle"')
  await cms.close()
  cms = await createCms({ ...config, events: false })
  await expect(cms.on('article', () => {})).rejects.toThrow('write "events: true"')
})

test('a change of a user or a file says who made it', async () => {
  cms = await createCms({
    ...config,
    contentTypes: { ...config.contentTypes, page: { attributes: { text: { type: 'media' } } } },
    events: { users: true },
    plugins: { upload: true, 'users-permissions': true, graphql: true },
    auth: {
      ...config.auth,
      users: [{ username: 'ann', email: 'ann@example.com', password: 'a-password', role: 'public' }],
    },
  })
  const own = cms
  const heard: CmsChange[] = []
  await own.on('*', (change) => heard.push(change))
  const headers = { authorization: 'Bearer a-token-for-this-test' }
  const send = async (path: string, init: RequestInit): Promise<void> => {
    const { status } = await own.fetch(path, { ...init, headers: { ...headers, ...init.headers } })
    expect(status).toBeLessThan(300)
  }
  const json = { 'content-type': 'application/json' }
  await send('/api/users/1', { method: 'PUT', headers: json, body: '{"username":"anna"}' })
  const form = new FormData()
  form.append('files', new Blob(['text'], { type: 'text/plain' }), 'a.txt')
  await send('/api/upload', { method: 'POST', body: form })
  const query = 'mutation { updateFileInfo(id: 1, info: { caption: "c" }) { data { id } } }'
  await send('/graphql', { method: 'POST', headers: json, body: JSON.stringify({ query }) })
  await send('/api/upload/files/1', { method: 'DELETE' })
  const page = new FormData()
  page.append('data', '{}')
  page.append('files.text', new Blob(['text'], { type: 'text/plain' }), 'b.txt')
  await send('/api/pages', { method: 'POST', body: page })
  const role = { name: 'Guests', description: 'guests', permissions: {} }
  await send('/api/users-permissions/roles', { method: 'POST', headers: json, body: JSON.stringify(role) })
  const [{ id: guests } = { id: 0 }] = await own.entries('plugin::users-permissions.role').findMany({
    filters: { name: 'Guests' },
  })
  await send('/api/users/1', { method: 'PUT', headers: json, body: JSON.stringify({ role: guests }) })
  // Its users get another role.
  await send(`/api/users-permissions/roles/${guests}`, { method: 'DELETE' })
  await send('/api/users/1', { method: 'DELETE' })
  await vi.waitFor(() => expect(heard).toHaveLength(9), waiting)
  const by = { kind: 'api-token', name: 'editor' }
  expect(heard.map(({ action, type }) => `${action} ${type}`)).toEqual([
    'update user',
    'create file',
    'update file',
    'delete file',
    'create file',
    'create page',
    'update user',
    'update user',
    'delete user',
  ])
  for (const change of heard) expect(change.by).toMatchObject(by)
})
