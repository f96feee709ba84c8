// Who gets what from the addresses of the console, without a browser.

import { expect, onTestFinished, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestSchema, postgresHere } from '../support/postgres.ts'

const notes = {
  contentTypes: { note: { attributes: { text: 'string', hint: { type: 'string', private: true } } } },
  data: { note: [{ id: 1, text: 'one', hint: 'only for us' }] },
}

async function open(config: Readonly<Record<string, unknown>> = { console: true }): Promise<{
  cms: Cms
  key: string
  ask(path: string, headers?: Record<string, string>, body?: unknown): Promise<Response>
}> {
  const cms = await createCms({ ...notes, ...config }, { env: {} })
  onTestFinished(() => cms.close())
  const { consoleUrl } = await cms.listen(0, '127.0.0.1')
  const key = /#key=(.+)$/.exec(consoleUrl ?? '')?.[1] ?? ''
  return {
    cms,
    key,
    ask: (path, headers = {}, body) =>
      cms.fetch(path, {
        headers: { host: 'localhost:1337', 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
  }
}

test('there is none where the file does not ask for it', async () => {
  for (const config of [{}, { console: false }]) {
    const { key, ask } = await open(config)
    expect(key).toBe('')
    expect((await ask('/')).status).toBe(404)
    expect((await ask('/_console/state')).status).toBe(404)
  }
})

test('HTML where it is asked for, else the links', async () => {
  const { ask } = await open()
  const page = await ask('/', { accept: 'text/html,*/*' })
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
  expect(await page.text()).not.toMatch(/<script>|style=|onload|https?:/)
  expect(await (await ask('/')).json()).toMatchObject({ contentTypes: { note: '/api/notes' } })
  const document = (await (await ask('/openapi.json')).json()) as { openapi: string; servers: unknown }
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://localhost:1337' }] })
  expect((await ask('/', {}, {})).status).toBe(405)
})

test('/admin, where Strapi has its pages, leads to those of the console', async () => {
  const { ask } = await open()
  for (const path of ['/admin', '/admin/']) {
    const answer = await ask(path, { accept: 'text/html' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/'])
  }
  expect((await ask('/admin', {}, {})).status).toBe(405)
  expect((await ask('/admin/settings')).status).toBe(404)
  const off = await open({})
  expect((await off.ask('/admin')).status).toBe(404)
})

test('nothing but the shell and its files without the key', async () => {
  const { key, ask } = await open()
  for (const given of ['', 'x', `${key}x`, key.toLowerCase()])
    expect((await ask('/_console/home', { 'x-console-key': given })).status).toBe(401)
  const refusal = async (headers: Record<string, string>): Promise<string> =>
    ((await (await ask('/_console/home', headers)).json()) as { error: { message: string } }).error.message
  expect(await refusal({})).toMatch(/^nobody is logged in: log in, or open/)
  expect(await refusal({ 'x-console-key': 'x' })).toMatch(
    /^the session is over, or the key is not that of this start: log in, or open/,
  )
  expect((await ask('/_console/home', { 'x-console-key': key })).status).toBe(200)
  expect((await ask('/_console/none', { 'x-console-key': key })).status).toBe(404)
  expect((await ask('/_console/assets/..%2f..%2fpackage.json')).status).toBe(404)
  expect((await ask('/_console/assets/none.js')).status).toBe(404)
})

test.each([
  ['a name that is not this server’s', { host: 'evil.example' }],
  ['no host', { host: '' }],
  ['a page of another origin', { origin: 'http://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['a page of another port', { origin: 'http://localhost:8080' }],
  ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
])('refused: %s', async (_what, headers) => {
  const { key, ask } = await open()
  for (const path of ['/', '/_console/home', '/openapi.json'])
    expect((await ask(path, { 'x-console-key': key, ...headers })).status).toBe(403)
})

test('server.publicUrl names a host that is answered', async () => {
  const { ask } = await open({ console: true, server: { publicUrl: 'https://api.example/' } })
  expect((await ask('/', { host: 'api.example' })).status).toBe(200)
})

test('the key buys a token for everything, and for a role; without the key there is neither', async () => {
  const { cms, key, ask } = await open({
    console: true,
    auth: { roles: { public: { permissions: ['note.find'] } } },
  })
  const tokenOf = async (as: string): Promise<string> => {
    const answer = await ask('/_console/token', { 'x-console-key': key }, { as })
    return ((await answer.json()) as { token: string }).token
  }
  const create = async (as: string): Promise<number> => {
    const headers = { authorization: `Bearer ${await tokenOf(as)}`, 'content-type': 'application/json' }
    return (await cms.fetch('/api/notes', { method: 'POST', headers, body: '{"data":{"text":"two"}}' }))
      .status
  }
  expect(await create('everything')).toBe(200)
  expect(await create('role:public')).toBe(403)
  expect((await ask('/_console/token', { 'x-console-key': key }, { as: 'role:none' })).status).toBe(400)
})

test('a question is answered with its statements and how the database runs them', async () => {
  const { key, ask } = await open()
  const question = { as: 'everything', path: '/api/notes?filters[text]=one' }
  const answer = await ask('/_console/ask', { 'x-console-key': key }, question)
  const { status, text, statements } = (await answer.json()) as {
    status: number
    text: string
    statements: { sql: string; plan: string[] }[]
  }
  expect([status, text]).toEqual([200, expect.stringContaining('"text":"one"')])
  expect(text).not.toContain('only for us')
  const read = statements.find(({ sql }) => sql.includes('from `notes`'))
  expect(read?.plan.join('\n')).toMatch(/SCAN|SEARCH/)
})

test('the examples of /openapi.json are entries that the caller may see', async () => {
  const { ask, cms } = await open({
    console: true,
    contentTypes: {
      ...notes.contentTypes,
      memo: { attributes: { text: { type: 'string', required: true, unique: true }, code: 'uid' } },
      home: { kind: 'singleType', attributes: { title: 'string' } },
    },
    data: { ...notes.data, memo: [{ text: 'for editors', code: 'a' }], home: { title: 'x'.repeat(500) } },
    auth: {
      roles: {
        public: { permissions: ['note.find', 'home.find'] },
        editor: { permissions: ['memo.find', 'memo.create'] },
      },
      users: [{ username: 'ann', email: 'ann@example.com', password: 'long-enough-1', role: 'editor' }],
    },
  })
  const documentFor = async (authorization?: string): Promise<Document> =>
    (await (
      await ask('/openapi.json', authorization === undefined ? {} : { authorization })
    ).json()) as Document
  const { paths } = await documentFor()
  expect(exampleOf(paths['/api/notes']?.['get'])).toMatchObject({
    data: [{ id: 1, attributes: { text: 'one' } }],
    meta: { pagination: { total: 1 } },
  })
  expect(exampleOf(paths['/api/notes/{id}']?.['get'])).toMatchObject({ data: { id: 1 } })
  expect(paths['/api/notes/{id}']?.['get']?.parameters[0]?.example).toBe(1)
  expect(paths['/api/notes/{id}']?.['put']?.requestBody?.content['application/json']?.example).toEqual({
    data: { text: 'one' },
  })
  const title = `${'x'.repeat(200)}…`
  expect(exampleOf(paths['/api/home']?.['get'])).toMatchObject({ data: { attributes: { title } } })
  expect(exampleOf(paths['/api/memos']?.['get'])).toBeUndefined()
  expect(JSON.stringify(paths)).not.toMatch(/only for us|for editors/)
  const login = await cms.fetch('/api/auth/local', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'ann', password: 'long-enough-1' }),
  })
  const { jwt } = (await login.json()) as { jwt: string }
  const own = (await documentFor(`Bearer ${jwt}`)).paths
  expect(own['/api/memos']?.['post']?.requestBody?.content['application/json']?.example).toEqual({
    data: { text: 'for editors' },
  })
  expect(JSON.stringify((await documentFor('Bearer wrong')).paths)).not.toContain('"example"')
})

type Content = Readonly<Record<string, { readonly example?: unknown }>>
interface Described {
  readonly parameters: readonly { readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

function exampleOf(operation: Described | undefined): unknown {
  return operation?.responses['200']?.content?.['application/json']?.example
}

interface Asked {
  readonly status: number
  readonly text: string
  readonly statements: readonly {
    readonly sql: string
    readonly plan?: string[]
    readonly withoutPlan?: string
  }[]
}

test.skipIf((await postgresHere()) === undefined)('PostgreSQL says how it runs a question', async () => {
  const { connection, schema, drop } = await openTestSchema((await postgresHere()) ?? '')
  onTestFinished(drop)
  const { key, ask } = await open({
    console: true,
    contentTypes: {
      note: {
        attributes: {
          text: { type: 'string', unique: true },
          author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        },
      },
      author: { attributes: { name: 'string' } },
    },
    data: { note: [{ id: 1, text: 'one' }] },
    database: { client: 'postgres', connection, schema },
  })
  const asked = async (question: object): Promise<Asked> =>
    (await (await ask('/_console/ask', { 'x-console-key': key }, question)).json()) as Asked
  const path = '/api/notes?filters[text]=one&filters[author][name][$containsi]=a&populate=author&_q=o'
  const read = await asked({ path })
  expect(read).toMatchObject({ status: 200 })
  expect(read.statements.length).toBeGreaterThan(1)
  for (const { plan } of read.statements) expect(plan?.join('\n')).toMatch(/Scan|Result/)
  const written = await asked({ path: '/api/notes', method: 'POST', body: { data: { text: 'two' } } })
  expect(written.status).toBe(200)
  const insert = written.statements.find(({ sql }) => sql.startsWith('insert'))
  expect(insert).toMatchObject({ withoutPlan: 'it writes: only reads are explained' })
})

test('requests are noted once a page looks on', async () => {
  const { cms, key, ask } = await open()
  await cms.fetch('/api/notes')
  const look = async () =>
    (await (await ask('/_console/state?requests=0', { 'x-console-key': key })).json()) as {
      requests: { path: string; status: number; role: string; statements: string[] }[]
    }
  expect((await look()).requests).toEqual([])
  // The examples of the document are asked for by the console itself.
  await ask('/openapi.json')
  await cms.fetch('/api/notes?filters[text]=a-secret')
  const { requests } = await look()
  expect(requests).toMatchObject([{ path: '/api/notes', status: 403, role: 'public' }])
  expect(JSON.stringify(requests)).not.toContain('a-secret')
})

test('the file cannot be written unless it says so', async () => {
  const { cms, key } = await open()
  const saved = await cms.fetch('/_console/file', {
    method: 'PUT',
    headers: { host: 'localhost', 'x-console-key': key, 'content-type': 'application/json' },
    body: '{"text":"","hash":""}',
  })
  expect(saved.status).toBe(403)
})

test('documents are counted once, and are the examples of /openapi.json', async () => {
  const { key, ask } = await open({
    console: true,
    dialect: 'strapi-5',
    contentTypes: { note: { ...notes.contentTypes.note, options: { draftAndPublish: true } } },
    data: {
      note: [
        { id: 1, text: 'one' },
        { id: 2, text: 'two', publishedAt: null },
      ],
    },
    auth: { roles: { public: { permissions: ['note.find', 'note.findOne'] } } },
  })
  const home = (await (await ask('/_console/home', { 'x-console-key': key })).json()) as { counts: unknown }
  expect(home.counts).toEqual({ 'api::note.note': 2 })
  const { paths } = (await (await ask('/openapi.json')).json()) as Document
  expect(exampleOf(paths['/api/notes']?.['get'])).toMatchObject({
    data: [{ documentId: expect.any(String), text: 'one' }],
  })
})
