// What a client sees of kept answers: tags, HEAD, codings (RFC 9110), over both transports; and that an answer reaches
// nobody but the callers it was made for.

import { createHash } from 'node:crypto'
import { request as requestOver } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { signedToken } from '../support/callers.ts'
import { openTestDatabase } from '../support/test-database.ts'
import { transportsHere } from '../support/transports.ts'

const SECRET = '0123456789abcdef0123456789abcdef'
const USER = 'plugin::users-permissions.user'
const TOKEN = 'a-token-of-forty-characters-for-the-test'
const NAMES = ['ann', 'bob', 'cem', 'dan']

const config = (more: { readonly rest?: object; readonly seen?: readonly string[] } = {}) => ({
  rest: more.rest ?? {},
  plugins: {
    graphql: true,
    upload: { config: { provider: 'memory' } },
    'users-permissions': { config: { jwtSecret: SECRET } },
  },
  contentTypes: {
    note: {
      attributes: {
        title: 'string',
        text: 'text',
        owner: { type: 'relation', relation: 'manyToOne', target: USER },
        cover: { type: 'media', multiple: false },
      },
    },
  },
  auth: {
    roles: {
      public: { permissions: more.seen ?? ['note.find', 'note.findOne'] },
      authenticated: { permissions: [{ 'note.read': { where: 'owner == me' } }, `${USER}.me`] },
    },
    users: NAMES.map((username) => ({
      username,
      email: `${username}@example.com`,
      password: 'sea-and-salt',
    })),
    apiTokens: [{ name: 'all', type: 'full-access', token: TOKEN }],
  },
  data: {
    note: [
      ...NAMES.map((name, index) => ({ id: index + 1, title: `of ${name}`, owner: index + 1 })),
      { id: 5, title: 'long', text: 'worth compressing '.repeat(200), owner: 1 },
    ],
  },
})

let cms: Cms
const servers: { readonly transport: string; readonly cms: Cms; readonly port: number }[] = []
const tokens: Record<string, string> = { '': '', all: TOKEN }

beforeAll(async () => {
  for (const [index, name] of NAMES.entries()) tokens[name] = await signedToken(SECRET, index + 1)
  cms = await createCms(config())
  for (const transport of transportsHere) {
    const served = await createCms(config(), { transport })
    servers.push({ transport, cms: served, port: (await served.listen(0, '127.0.0.1')).port })
  }
})

afterAll(async () => {
  await Promise.all([cms, ...servers.map((server) => server.cms)].map((each) => each?.close()))
})

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

function get(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    requestOver({ port, path, headers, method, host: '127.0.0.1' }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

const asking = (who: string, headers: Record<string, string> = {}): RequestInit => ({
  headers: { ...headers, ...(who === '' ? {} : { authorization: `Bearer ${tokens[who]}` }) },
})

const posting = (who: string, body: unknown, method = 'POST'): RequestInit => ({
  ...asking(who, { 'content-type': 'application/json' }),
  method,
  body: JSON.stringify(body),
})

describe.each(transportsHere)('over %s', (transport) => {
  const server = () => servers.find((each) => each.transport === transport) ?? expect.fail('not served')
  const twice = async (path: string, headers: Record<string, string> = {}) => {
    await get(server().port, path, headers)
    return get(server().port, path, headers)
  }

  test('HEAD has the headers of GET, and no body', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const whole = await twice('/api/notes/5', headers)
      const head = await get(server().port, '/api/notes/5', headers, 'HEAD')
      const without = ({ headers: { date: _, 'x-request-id': __, ...others } }: Got) => others
      expect(without(head)).toEqual(without(whole))
      expect(without(head)).toMatchObject({
        etag: expect.any(String),
        'content-length': String(whole.body.length),
      })
      expect(head.body.length).toBe(0)
    }
  })

  test('If-None-Match: lists, weak tags and *', async () => {
    const { headers } = await twice('/api/notes/1')
    const etag = String(headers['etag'])
    const statuses = async (method: string) =>
      Promise.all(
        [
          etag,
          `W/${etag}`,
          `"other", ${etag}`,
          '*',
          ' * ',
          '"other"',
          `W/"other"`,
          etag.slice(1, -1),
          '"*"',
        ].map(
          async (tag) => (await get(server().port, '/api/notes/1', { 'if-none-match': tag }, method)).status,
        ),
      )
    const expected = [304, 304, 304, 304, 304, 200, 200, 200, 200]
    expect(await statuses('GET')).toEqual(expected)
    expect(await statuses('HEAD')).toEqual(expected)
    const gone = await get(server().port, '/api/notes/1', { 'if-none-match': etag })
    expect([gone.body.length, gone.headers['etag']]).toEqual([0, etag])
  })

  test('the coding that the client prefers, with a tag of its own', async () => {
    const plain = await twice('/api/notes')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers['vary']).toContain('Accept-Encoding')
    const tags = new Set([plain.headers['etag']])
    for (const [accepted, coding] of [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0.5, gzip;q=0.8', 'gzip'],
      ['br;q=0, *', process.versions.node.startsWith('20.') ? 'gzip' : 'zstd'],
      ['X-GZIP;Q=1', 'gzip'],
      ['br;q=0, gzip;q=0', undefined],
      ['identity, br;q=0.5', undefined],
      ['*;q=0', undefined],
      ['br;q=2', undefined],
      ['deflate', undefined],
      ['', undefined],
    ] as const) {
      const got = await twice('/api/notes', { 'accept-encoding': accepted })
      expect([accepted, got.headers['content-encoding']]).toEqual([accepted, coding])
      tags.add(got.headers['etag'])
      if (coding !== 'br' && coding !== 'gzip') continue
      const text = coding === 'br' ? brotliDecompressSync(got.body) : gunzipSync(got.body)
      expect(text.equals(plain.body)).toBe(true)
      expect(got.body.length).toBeLessThan(plain.body.length / 2)
      const has = { 'accept-encoding': accepted, 'if-none-match': String(got.headers['etag']) }
      expect((await get(server().port, '/api/notes', has)).status).toBe(304)
      // The tag of the body as it is names another representation.
      const other = { 'accept-encoding': accepted, 'if-none-match': String(plain.headers['etag']) }
      expect((await get(server().port, '/api/notes', other)).status).toBe(200)
    }
    expect(tags.size).toBeGreaterThanOrEqual(3)
  })

  test('neither small answers nor those of known callers are compressed', async () => {
    expect(
      (await twice('/api/notes/1', { 'accept-encoding': 'br' })).headers['content-encoding'],
    ).toBeUndefined()
    const known = { 'accept-encoding': 'br', authorization: `Bearer ${TOKEN}` }
    const answer = await twice('/api/notes', known)
    expect([answer.headers['content-encoding'], typeof answer.headers['etag']]).toEqual([undefined, 'string'])
  })

  test('GraphQL: a query in the URL has a tag, a posted one has none', async () => {
    const headers = { 'apollo-require-preflight': 'yes', 'accept-encoding': 'br' }
    const query = `/graphql?query=${encodeURIComponent('{ notes { data { attributes { title text } } } }')}`
    const got = await twice(query, headers)
    expect(got.headers).toMatchObject({ 'content-encoding': 'br', etag: expect.stringMatching(/-br"$/) })
    const has = { ...headers, 'if-none-match': String(got.headers['etag']) }
    expect((await get(server().port, query, has)).status).toBe(304)
    for (let time = 0; time < 3; time++) {
      const posted = await fetch(`http://127.0.0.1:${server().port}/graphql`, {
        ...posting('', { query: '{ notes { data { attributes { title text } } } }' }),
        headers: { 'content-type': 'application/json', 'if-none-match': '*' },
      })
      expect([posted.status, posted.headers.get('etag')]).toEqual([200, null])
      expect(await posted.json()).toEqual(JSON.parse(brotliDecompressSync(got.body).toString()))
    }
  })
})

test('what is kept for one caller reaches no other', async () => {
  const query = '{ notes { data { attributes { title } } } }'
  const variable = 'query ($id: ID) { note(id: $id) { data { attributes { title } } } }'
  const titles = (text: string): readonly string[] =>
    [...text.matchAll(/"title":"([^"]*)"/g)].map(([, one]) => one ?? '')
  const own = (who: string) => (who === 'ann' ? ['of ann', 'long'] : [`of ${who}`])
  for (let round = 0; round < 4; round++) {
    for (const [index, who] of NAMES.entries()) {
      const list = await cms.fetch('/api/notes', asking(who))
      expect(titles(await list.text())).toEqual(own(who))
      const posted = await cms.fetch('/graphql', posting(who, { query }))
      expect(titles(await posted.text())).toEqual(own(who))
      const other = { query: variable, variables: { id: String(((index + 1) % 4) + 1) } }
      expect(titles(await (await cms.fetch('/graphql', posting(who, other))).text())).toEqual([])
      const mine = { query: variable, variables: { id: String(index + 1) } }
      expect(titles(await (await cms.fetch('/graphql', posting(who, mine))).text())).toEqual([`of ${who}`])
      const me = (await (await cms.fetch('/api/users/me', asking(who))).json()) as { username: string }
      expect(me.username).toBe(who)
    }
    expect(titles(await (await cms.fetch('/api/notes')).text())).toHaveLength(5)
  }
})

test('operations and accepted types of one document are kept apart', async () => {
  const query = 'query A { notes { data { id } } } query B { note(id: 1) { data { id } } }'
  for (let round = 0; round < 3; round++) {
    const one = await cms.fetch('/graphql', posting('', { query, operationName: 'A' }))
    expect(one.headers.get('content-type')).toBe('application/json')
    const two = await cms.fetch('/graphql', posting('', { query, operationName: 'B' }))
    expect([Object.keys(((await one.json()) as { data: object }).data)]).toEqual([['notes']])
    expect([Object.keys(((await two.json()) as { data: object }).data)]).toEqual([['note']])
    const asked = posting('', { query, operationName: 'A' })
    const own = await cms.fetch('/graphql', {
      ...asked,
      headers: { ...asked.headers, accept: 'application/graphql-response+json' },
    })
    expect(own.headers.get('content-type')).toContain('graphql-response+json')
  }
})

test('what is kept for the bytes of a body is no answer to them with other headers', async () => {
  const asked = posting('', { query: '{ notes { data { attributes { title } } } }' })
  const send = (headers: Record<string, string>): Promise<Response> =>
    cms.fetch('/graphql', { ...asked, headers: { ...asked.headers, ...headers } })
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all([
      send({}),
      send({ 'content-type': 'application/json; charset=utf-8' }),
      send({ 'content-type': 'application/json; charset=latin1' }),
      send({ 'content-type': 'application/x-www-form-urlencoded' }),
      send({ 'content-type': 'text/plain' }),
      send({ 'content-encoding': 'gzip' }),
      send({ authorization: 'Bearer of nothing' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 415, 400, 400, 415, 401])
  }
})

test('a persisted query is answered by its hash only while its document is known', async () => {
  const query = '{ notes(sort: "title") { data { attributes { title } } } }'
  const sha256Hash = createHash('sha256').update(query).digest('hex')
  const extensions = { persistedQuery: { version: 1, sha256Hash } }
  const known = async (body: object): Promise<boolean> =>
    (await (await cms.fetch('/graphql', posting('', body))).text()).includes('of ann')
  expect(await known({ extensions })).toBe(false)
  for (let round = 0; round < 3; round++) expect(await known({ query })).toBe(true)
  // It was never sent with its hash.
  expect(await known({ extensions })).toBe(false)
  for (let round = 0; round < 3; round++) expect(await known({ query, extensions })).toBe(true)
  for (let round = 0; round < 3; round++) expect(await known({ extensions })).toBe(true)
})

test('a query in the URL without the header that it must have is refused, kept or not', async () => {
  const strict = config()
  const graphql = { config: { apolloServer: { csrfPrevention: true } } }
  const own = await createCms({ ...strict, plugins: { ...strict.plugins, graphql } })
  const path = `/graphql?query=${encodeURIComponent('{ notes { data { id } } }')}`
  for (let round = 0; round < 3; round++) {
    const preflighted = await own.fetch(path, { headers: { 'apollo-require-preflight': 'yes' } })
    expect([preflighted.status, (await own.fetch(path)).status]).toEqual([200, 400])
  }
  await own.close()
})

describe('an answer changes with', () => {
  const seen = ['note.read', 'plugin::users-permissions.user.find', 'plugin::upload.content-api.find']
  let changing: Cms

  beforeAll(async () => {
    changing = await createCms(config({ seen }))
  })
  afterAll(() => changing?.close())

  const rest = '/api/notes/1?populate=owner,cover'
  const query =
    '{ note(id: 1) { data { attributes { cover { data { attributes { caption } } } owner { data { id } } } } } }'

  async function answers(): Promise<string> {
    const two = await Promise.all([
      changing.fetch(rest),
      changing.fetch('/api/notes?filters[owner][username]=eve'),
      changing.fetch('/graphql', posting('', { query })),
    ])
    return (await Promise.all(two.map((each) => each.text()))).join('\n')
  }

  async function changes(what: () => Promise<unknown>): Promise<string> {
    for (let time = 0; time < 3; time++) await answers()
    const before = await answers()
    await what()
    const after = await answers()
    expect(after).not.toBe(before)
    return after
  }

  const upload = async (): Promise<number> => {
    const form = new FormData()
    form.set('files', new File(['text'], 'a.txt', { type: 'text/plain' }))
    form.set('ref', 'api::note.note')
    form.set('refId', '1')
    form.set('field', 'cover')
    const sent = { ...asking('all'), method: 'POST', body: form }
    const [file] = (await (await changing.fetch('/api/upload', sent)).json()) as [{ id: number }]
    return file.id
  }

  test('a user', async () => {
    const renamed = await changes(() =>
      changing.fetch('/api/users/1', posting('all', { username: 'eve' }, 'PUT')),
    )
    expect(renamed).toContain('"username":"eve"')
  })

  test('a file that is linked, described, and deleted', async () => {
    let id = 0
    await changes(async () => {
      id = await upload()
    })
    const told = await changes(async () => {
      const form = new FormData()
      form.set('fileInfo', JSON.stringify({ caption: 'told' }))
      await changing.fetch(`/api/upload?id=${id}`, { ...asking('all'), method: 'POST', body: form })
    })
    expect(told.match(/told/g)).toHaveLength(2)
    await changes(() => changing.fetch(`/api/upload/files/${id}`, { ...asking('all'), method: 'DELETE' }))
  })
})

test('a reload of the roles ends what was kept', async () => {
  const { mkdtempSync, writeFileSync } = await import('node:fs')
  const file = `${mkdtempSync('/tmp/cms-run-kept-')}/cms.json`
  writeFileSync(file, JSON.stringify(config()))
  const reloading = await createCms(file, { watch: false, env: {} })
  for (let time = 0; time < 3; time++) expect((await reloading.fetch('/api/notes/1')).status).toBe(200)
  writeFileSync(file, JSON.stringify(config({ seen: ['note.find'] })))
  await reloading.reload()
  expect((await reloading.fetch('/api/notes/1')).status).toBe(403)
  expect((await reloading.fetch('/api/notes')).status).toBe(200)
  await reloading.close()
})

test('a write of another program into the file ends what was kept', async () => {
  const database = await openTestDatabase('sqlite')
  const filed = await createCms(config(), { env: {}, ...database.options })
  const restore = await database.keep(filed)
  const ask = async (): Promise<readonly [string | null, boolean]> => {
    const answer = await filed.fetch('/api/notes/2')
    return [answer.headers.get('etag'), (await answer.text()).includes('of bob')]
  }
  const changed = await filed.fetch('/api/notes/2', posting('all', { data: { title: 'other' } }, 'PUT'))
  expect(changed.status).toBe(200)
  for (let time = 0; time < 3; time++) expect((await ask())[1]).toBe(false)
  const [etag] = await ask()
  expect(etag).toEqual(expect.any(String))
  // Through a connection of its own.
  await restore()
  expect((await ask())[1]).toBe(true)
  await filed.close()
  await database.drop()
})

test('compression can be switched off', async () => {
  const plain = await createCms(config({ rest: { compression: false } }))
  for (let time = 0; time < 3; time++) {
    const { headers } = await plain.fetch('/api/notes', asking('', { 'accept-encoding': 'br' }))
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, 'Origin'])
  }
  await plain.close()
})
