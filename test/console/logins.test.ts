// Logins of users to the console, through HTTP: who gets in, what they may, and what attackers cannot.

import { expect, onTestFinished, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const PASSWORD = 'long-enough-1'

const config = {
  console: true,
  jwtSecret: 'a-secret-of-a-test-that-is-long-enough-0123456789',
  plugins: { events: true },
  contentTypes: {
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', required: true },
        notes: 'text',
        salary: { type: 'integer', private: true },
        writer: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
        ledger: { type: 'relation', relation: 'manyToOne', target: 'api::ledger.ledger' },
      },
    },
    ledger: { attributes: { total: 'integer' } },
    page: { attributes: { title: 'string' } },
  },
  data: { ledger: [{ total: 1 }], page: [{ title: 'home' }] },
  auth: {
    roles: {
      public: { permissions: [] },
      editor: {
        console: true,
        permissions: [
          {
            'article.*': {
              where: 'writer == me',
              set: { writer: 'me' },
              fields: ['title', 'notes', 'publishedAt'],
            },
          },
          'plugin::users-permissions.user.find',
        ],
      },
      viewer: { console: { types: ['page'] }, permissions: ['page.find', 'page.findOne', 'ledger.find'] },
      member: { permissions: ['article.find'] },
    },
    users: [
      { username: 'ann', email: 'ann@example.com', password: PASSWORD, role: 'editor' },
      { username: 'ben', email: 'ben@example.com', password: PASSWORD, role: 'editor' },
      { username: 'vic', email: 'vic@example.com', password: PASSWORD, role: 'viewer' },
      { username: 'mel', email: 'mel@example.com', password: PASSWORD, role: 'member' },
    ],
  },
}

type Headers = Readonly<Record<string, string>>

interface Opened {
  readonly cms: Cms
  readonly key: string
  ask(path: string, headers?: Headers, body?: unknown, method?: string): Promise<Response>
}

async function open(changes: object = {}): Promise<Opened> {
  const cms = await createCms({ ...config, ...changes }, { env: {} })
  onTestFinished(() => cms.close())
  const { consoleUrl = '' } = await cms.listen(0, '127.0.0.1')
  return {
    cms,
    key: consoleUrl.split('#key=')[1] ?? '',
    ask: (path, headers = {}, body, method = body === undefined ? 'GET' : 'POST') =>
      cms.fetch(path, {
        method,
        headers: {
          host: 'localhost:1337',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

interface LoggedIn {
  readonly cookie: string
  readonly token: string
  readonly headers: Headers
  readonly setCookie: string
}

async function logIn({ ask }: Opened, identifier: string, headers: Headers = {}): Promise<LoggedIn> {
  const response = await ask('/_console/login', headers, { identifier, password: PASSWORD })
  expect(response.status).toBe(200)
  const [setCookie = ''] = response.headers.getSetCookie()
  const cookie = setCookie.split(';')[0] ?? ''
  const { token } = (await response.json()) as { token: string }
  return { cookie, token, setCookie, headers: { cookie, 'x-console-key': token } }
}

interface Body {
  readonly error: { readonly message: string }
}
const messageOf = async (response: Response): Promise<string> =>
  ((await response.json()) as Body).error.message

test('a user whose role has the console logs in, and makes requests as that user', async () => {
  const opened = await open()
  const { ask, cms } = opened
  const ann = await logIn(opened, 'ann')
  const changes: unknown[] = []
  await cms.on('article', (change) => changes.push(change.by))
  expect(ann.setCookie).toMatch(
    /^cms-run-console-1337=[\w-]{43}; Path=\/; Expires=[^;]+ GMT; SameSite=strict; HttpOnly$/,
  )
  const created = await ask('/api/articles', ann.headers, { data: { title: 'mine', publishedAt: null } })
  expect(created.status).toBe(200)
  await cms.entries('article').create({ title: "somebody else's" })
  const listed = (await (await ask('/api/articles?publicationState=preview', ann.headers)).json()) as {
    data: { attributes: { title: string } }[]
  }
  expect(listed.data.map(({ attributes }) => attributes.title)).toEqual(['mine'])
  expect(
    await cms.entries('article').findMany({ populate: 'writer', publicationState: 'preview' }),
  ).toMatchObject([{ title: 'mine', writer: { username: 'ann' } }, { writer: null }])
  expect((await ask('/api/ledgers', ann.headers)).status).toBe(403)
  // Changes name the user; those of the program name nobody.
  await expect
    .poll(() => changes)
    .toEqual([{ kind: 'user', name: 'editor', id: expect.any(Number) }, undefined])
})

test('a user of another role, a wrong password and an unknown user stay outside', async () => {
  const opened = await open()
  const attempt = async (identifier: unknown, password: unknown) => {
    const response = await opened.ask('/_console/login', {}, { identifier, password })
    expect(response.headers.getSetCookie()).toEqual([])
    return [response.status, await messageOf(response)]
  }
  expect(await attempt('mel', PASSWORD)).toEqual([403, 'Your account may not use the console'])
  expect(await attempt('ann', 'wrong-password')).toEqual([400, 'Invalid identifier or password'])
  expect(await attempt('mel', 'wrong-password')).toEqual([400, 'Invalid identifier or password'])
  expect(await attempt('nobody', PASSWORD)).toEqual([400, 'Invalid identifier or password'])
  expect((await attempt({ $ne: '' }, ['x']))[0]).toBe(400)
})

test('the cookie without the text of the page allows nothing, and neither does the text without the cookie', async () => {
  const opened = await open()
  const { ask } = opened
  const { cookie, token, headers } = await logIn(opened, 'ann')
  const ben = await logIn(opened, 'ben')
  // A request of another site has the cookie at most: the API does not look at it.
  expect((await ask('/api/articles', { cookie })).status).toBe(403)
  for (const wrong of [
    { cookie },
    { 'x-console-key': token },
    { cookie, 'x-console-key': ben.token },
    { cookie: `${cookie}x`, 'x-console-key': token },
  ])
    expect((await ask('/_console/home', wrong)).status).toBe(401)
  expect((await ask('/api/articles', { ...headers, 'x-console-key': 'x' })).status).toBe(401)
  expect((await ask('/_console/home', headers)).status).toBe(200)
})

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://localhost:9999' }],
  ['a page without an origin', { origin: 'null' }],
  ['another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
  ['a name that leads here', { host: 'rebound.example' }],
])('%s is refused at every door', async (_name, foreign) => {
  const opened = await open()
  const { headers } = await logIn(opened, 'ann')
  for (const [path, body] of [
    ['/_console/login', undefined],
    ['/_console/login', { identifier: 'ann', password: PASSWORD }],
    ['/_console/home', undefined],
    ['/_console/logout', {}],
    ['/api/articles', { data: { title: 'forged' } }],
  ] as const) {
    const response = await opened.ask(path, { ...headers, ...foreign }, body)
    expect([path, response.status]).toEqual([path, 403])
    expect(response.headers.getSetCookie()).toEqual([])
  }
  expect(await opened.cms.entries('article').findMany({ publicationState: 'preview' })).toEqual([])
})

test('a session that was there before a login is not the session after it', async () => {
  const opened = await open()
  const planted = await logIn(opened, 'ben')
  // The attacker puts the own cookie into the browser of the victim, who then logs in.
  const victim = await logIn(opened, 'ann', { cookie: planted.cookie })
  expect(victim.cookie).not.toBe(planted.cookie)
  expect((await opened.ask('/_console/home', planted.headers)).status).toBe(401)
  expect((await opened.ask('/_console/home', victim.headers)).status).toBe(200)
})

test('sessions are listed, ended one by one and everywhere', async () => {
  const opened = await open()
  const { ask } = opened
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const first = await logIn(opened, 'ann', agent)
  const second = await logIn(opened, 'ann')
  const ben = await logIn(opened, 'ben')
  const { sessions: list } = (await (await ask('/_console/account', second.headers)).json()) as {
    sessions: { id: string; current: boolean; deviceName: string }[]
  }
  expect(list).toMatchObject([{ current: true }, { current: false, deviceName: 'Console, Firefox on Linux' }])
  const other = list[1]?.id ?? ''
  expect((await ask(`/_console/sessions?id=${other}`, ben.headers, undefined, 'DELETE')).status).toBe(404)
  expect((await ask(`/_console/sessions?id=${other}`, second.headers, undefined, 'DELETE')).status).toBe(200)
  expect((await ask('/api/articles', first.headers)).status).toBe(401)
  const third = await logIn(opened, 'ann')
  const left = await ask('/_console/logout?everywhere', third.headers, {})
  expect(left.headers.getSetCookie()[0]).toMatch(/=; Path=\/; Expires=[^;]+;/)
  for (const { headers } of [second, third]) expect((await ask('/_console/home', headers)).status).toBe(401)
  expect((await ask('/_console/home', ben.headers)).status).toBe(200)
})

test('a blocked user, a new password and another role end the session at once', async () => {
  const opened = await open()
  const { ask, cms } = opened
  const users = cms.entries('plugin::users-permissions.user')
  const check = async (name: string, change: Readonly<Record<string, unknown>>): Promise<void> => {
    const { headers } = await logIn(opened, name)
    expect((await ask('/_console/home', headers)).status).toBe(200)
    const [user] = await users.findMany({ filters: { username: name } })
    await users.update(Number(user?.id), change)
    for (const path of ['/_console/home', '/api/articles'])
      expect((await ask(path, headers)).status).toBe(401)
  }
  await check('ann', { blocked: true })
  await check('ben', { password: 'another-long-1' })
  const [member] = await cms
    .entries('plugin::users-permissions.role')
    .findMany({ filters: { type: 'member' } })
  await check('vic', { role: member?.id })
})

test('a session ends when it is not used, and at the latest after its longest time', async () => {
  const opened = await open()
  const { ask, cms } = opened
  const { headers } = await logIn(opened, 'ann')
  const day = 86_400_000
  for (let days = 0; days < 28; days += 7) {
    cms.advance(7 * day)
    expect((await ask('/_console/home', headers)).status).toBe(200)
  }
  cms.advance(7 * day)
  expect((await ask('/_console/home', headers)).status).toBe(401)
  const ben = await logIn(opened, 'ben')
  cms.advance(15 * day)
  expect((await ask('/_console/home', ben.headers)).status).toBe(401)
})

test('a user sees only what the permissions and the role say', async () => {
  const opened = await open()
  const { ask } = opened
  const modelOf = async (name: string) => {
    const { headers } = await logIn(opened, name)
    const text = await (await ask('/_console/model', headers)).text()
    expect(text).not.toMatch(/salary|cms\.yaml|auth\.roles/)
    const { types } = JSON.parse(text) as {
      types: {
        name: string
        own: boolean
        may: string[]
        attributes: { name: string; writable?: boolean }[]
        look: { list: string[] }
      }[]
    }
    return types
  }
  const [article, ...others] = (await modelOf('ann')).filter(({ own }) => own)
  expect(others).toEqual([])
  expect(article?.may).toContain('update')
  expect(article?.attributes.map(({ name }) => name)).not.toContain('ledger')
  expect(article?.attributes).toMatchObject([{ name: 'title' }, { name: 'notes' }])
  const seen = (await modelOf('vic')).filter(({ own }) => own)
  expect(seen).toMatchObject([{ name: 'page', may: ['find', 'findOne', 'aggregate', 'count'] }])
})

test.each(['file', 'access', 'schema', 'scans', 'changes'])('the page %s is for developers', async (page) => {
  const opened = await open()
  const { headers } = await logIn(opened, 'ann')
  expect((await opened.ask(`/_console/${page}`, headers)).status).toBe(403)
})

test.each(['ask', 'token', 'private', 'explain', 'plan', 'data'])(
  'no user may POST to %s of developers',
  async (page) => {
    const opened = await open()
    const { headers } = await logIn(opened, 'ann')
    const body = { as: 'everything', path: '/api/ledgers', type: 'api::article.article', id: 1 }
    expect((await opened.ask(`/_console/${page}`, headers, body)).status).toBe(403)
  },
)

test('the rights to entries are those of the rules', async () => {
  const opened = await open()
  const { ask, cms } = opened
  const { headers } = await logIn(opened, 'ann')
  const created = await ask('/api/articles', headers, { data: { title: 'mine' } })
  const { id } = ((await created.json()) as { data: { id: number } }).data
  const other = await cms.entries('article').create({ title: 'not mine' })
  const type = 'api::article.article'
  const rights = await ask('/_console/rights', headers, { type, ids: [id, other.id] })
  expect(await rights.json()).toEqual({ update: [id], updateMany: [], delete: [id] })
  expect((await ask('/_console/rights', headers, { type, ids: ['1'] })).status).toBe(400)
})

test('with documents, the rights are to drafts', async () => {
  const opened = await open({ dialect: 'strapi-5' })
  const { ask, cms } = opened
  const { headers } = await logIn(opened, 'ann')
  const created = await ask('/api/articles?status=draft', headers, { data: { title: 'mine' } })
  expect(created.status).toBe(201)
  const { id } = ((await created.json()) as { data: { id: number } }).data
  const other = await cms.entries('article').create({ title: 'not mine' })
  const body = { type: 'api::article.article', ids: [id, other.id] }
  const rights = await ask('/_console/rights', headers, body)
  expect(await rights.json()).toEqual({ update: [id], updateMany: [], delete: [id] })
})

test('production has no key: people log in, and the address holds none', async () => {
  const opened = await open({ server: { environment: 'production', publicUrl: 'https://cms.example' } })
  expect(opened.key).toBe('')
  const state = await opened.ask('/_console/login')
  expect(await state.json()).toEqual({ byKey: false, byPassword: true, providers: [] })
  for (const key of ['', 'undefined', 'null'])
    expect((await opened.ask('/_console/home', { 'x-console-key': key })).status).toBe(401)
  for (const path of ['/openapi.json', '/']) expect((await opened.ask(path)).status).toBe(404)
  const { setCookie, headers } = await logIn(opened, 'ann', { host: 'cms.example' })
  expect(setCookie).toMatch(/^__Secure-cms-run-console=[\w-]+; .*; SameSite=strict; Secure; HttpOnly$/)
  expect((await opened.ask('/_console/home', { ...headers, host: 'cms.example' })).status).toBe(200)
})

test('wrong passwords count as those of the API', async () => {
  const ratelimit = { enabled: true, interval: '1h', max: 3 }
  const opened = await open({ plugins: { 'users-permissions': { config: { ratelimit } } } })
  const attempt = async (path: string): Promise<number> =>
    (await opened.ask(path, {}, { identifier: 'ann', password: 'wrong-password' })).status
  const statuses = [
    await attempt('/_console/login'),
    await attempt('/api/auth/local'),
    await attempt('/_console/login'),
  ]
  expect(statuses).toEqual([400, 400, 400])
  expect(await attempt('/_console/login')).toBe(429)
  expect(await attempt('/api/auth/local')).toBe(429)
})

test.each(['refresh', 'legacy-support'])(
  'the times of sessions are those of the settings: %s',
  async (jwtManagement) => {
    const settings = { jwtManagement, sessions: { idleRefreshTokenLifespan: '1h' } }
    const opened = await open({ plugins: { 'users-permissions': { config: settings } } })
    const { headers } = await logIn(opened, 'ann')
    opened.cms.advance('59min')
    expect((await opened.ask('/_console/home', headers)).status).toBe(200)
    opened.cms.advance('61min')
    expect((await opened.ask('/_console/home', headers)).status).toBe(401)
  },
)

test('the pages cannot be framed, and errors about logins hold no secret', async () => {
  const opened = await open()
  const page = await opened.ask('/', { accept: 'text/html' })
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect(page.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/)
  const response = await opened.ask('/_console/login', {}, { identifier: 'ann', password: 'my-secret-guess' })
  expect(await response.text()).not.toContain('my-secret-guess')
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('without a role of the console nobody logs in', async () => {
  const { users } = config.auth
  const opened = await open({
    auth: {
      roles: { editor: { permissions: [] }, viewer: { permissions: [] }, member: { permissions: [] } },
      users,
    },
  })
  const response = await opened.ask('/_console/login', {}, { identifier: 'ann', password: PASSWORD })
  expect([response.status, await messageOf(response)]).toEqual([
    404,
    'no role of the file has "console: true": nobody logs in here',
  ])
})
