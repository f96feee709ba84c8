import { afterEach, describe, expect, test } from 'vitest'
import { type Asking, accountsConfig, openAccounts, withAdvanced } from './open-accounts.ts'

const opened: Asking[] = []
async function open(changes: Readonly<Record<string, unknown>> = {}): Promise<Asking> {
  const ask = await openAccounts(changes)
  opened.push(ask)
  return ask
}
afterEach(async () => {
  for (const { cms } of opened.splice(0)) await cms.close()
})

const newcomer = { username: 'newcomer', email: 'New@Example.com', password: 'secret1' }
const taken = {
  status: 400,
  body: { error: { name: 'ApplicationError', message: 'Email or Username are already taken' } },
}

test('a user is made, in the default role, with a token', async () => {
  const { get, post, cms } = await open()
  const { status, body } = await post('/api/auth/local/register', newcomer)
  expect(status).toBe(200)
  const { jwt, user } = body as { jwt: string; user: Record<string, unknown> }
  expect(Object.keys(user)).toEqual([
    'id',
    'username',
    'email',
    'provider',
    'confirmed',
    'blocked',
    'nickname',
    'createdAt',
    'updatedAt',
  ])
  expect(user).toMatchObject({
    username: 'newcomer',
    email: 'new@example.com',
    provider: 'local',
    confirmed: true,
    blocked: false,
  })
  expect(await get('/api/users/me', jwt)).toMatchObject({ status: 200, body: { username: 'newcomer' } })
  const users = cms.entries('plugin::users-permissions.user')
  expect(await users.findOne(Number(user['id']), { populate: 'role' })).toMatchObject({
    role: { type: 'authenticated' },
  })
})

const USER = 'plugin::users-permissions.user'

describe('entries that a registration names', () => {
  const { auth, plugins } = accountsConfig
  const config = plugins['users-permissions'].config
  const noted = {
    contentTypes: {
      note: {
        attributes: {
          text: 'string',
          owner: { type: 'relation', relation: 'manyToOne', target: USER, inversedBy: 'notes' },
        },
      },
      [USER]: {
        attributes: {
          notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'owner' },
        },
      },
    },
    plugins: {
      ...plugins,
      'users-permissions': { config: { ...config, register: { allowedFields: ['notes'] } } },
    },
    data: {
      note: [
        { id: 1, text: 'free' },
        { id: 2, text: 'owned' },
      ],
    },
  }
  const permitted = (...permissions: string[]) => ({
    ...auth,
    roles: { ...auth.roles, public: { permissions: [...auth.roles.public.permissions, ...permissions] } },
  })

  test.each([
    {
      permissions: [],
      notes: [1],
      status: 403,
      message: 'Forbidden: "notes" names entries that you may not find',
    },
    {
      permissions: ['note.find'],
      notes: [1, 2],
      status: 403,
      message: 'Forbidden: "notes" takes an entry from another one, and you may update neither',
    },
    { permissions: ['note.find'], notes: [1], status: 200, message: undefined },
    { permissions: ['note.find', 'note.update'], notes: [1, 2], status: 200, message: undefined },
  ])(
    'are those that the caller may name: $permissions $notes',
    async ({ permissions, notes, status, message }) => {
      const { cms, post } = await open({ ...noted, auth: permitted(...permissions) })
      await cms.entries('plugin::users-permissions.user').update(1, { notes: [2] })
      const answered = await post('/api/auth/local/register', { ...newcomer, notes })
      expect(answered.status).toBe(status)
      if (message !== undefined) expect(answered.body).toMatchObject({ error: { message } })
    },
  )
})

test('what a registration does not take is refused, with the nearest name', async () => {
  const { post } = await open()
  const answered = await post('/api/auth/local/register', {
    ...newcomer,
    email: 'nowhere',
    id: 77,
    nicknam: 'new',
    role: 3,
  })
  expect(answered).toMatchObject({
    status: 400,
    body: {
      error: {
        name: 'ValidationError',
        message: '3 errors occurred',
        details: {
          errors: [
            { path: ['nicknam'], message: 'A registration does not take nicknam, did you mean nickname?' },
            { path: ['role'], message: 'A registration does not take role: remove it' },
            { path: ['email'], message: 'email must be a valid email' },
          ],
          explain: {
            message:
              'a registration takes email, username, password, nickname (plugins.users-permissions.config.register.allowedFields adds names); did you mean "nickname"?',
          },
        },
      },
    },
  })
})

test('with rest.strict: false nothing is taken from the body but what is allowed', async () => {
  const { post, cms } = await open({ rest: { strict: false } })
  const { body } = await post('/api/auth/local/register', {
    ...newcomer,
    nickname: 'new',
    iban: 'DE00',
    id: 77,
    role: 3,
    provider: 'github',
    confirmed: false,
    blocked: true,
    resetPasswordToken: 'x',
    confirmationToken: 'x',
    tokenEpoch: 5,
    createdAt: '1999-01-01T00:00:00.000Z',
    notes: [1],
    __proto__: { role: 3 },
  })
  const { user } = body as { user: { id: number } }
  expect(user).toMatchObject({ id: 5, nickname: 'new', provider: 'local', confirmed: true, blocked: false })
  const stored = await cms.entries('plugin::users-permissions.user').findOne(user.id, { populate: '*' })
  expect(stored).toMatchObject({ role: { type: 'authenticated' }, notes: [] })
  expect(String(stored?.['createdAt'])).not.toContain('1999')
  const bytes = Buffer.concat(cms.snapshot().pages)
  expect(bytes.includes('DE00')).toBe(false)
})

test.each([
  ['a name that is taken', { username: 'alice' }],
  ['an address that is taken', { email: 'alice@example.com' }],
  ['an address that is taken, in capitals', { email: 'ALICE@EXAMPLE.COM' }],
  ["a name that is another's address", { username: 'Alice@example.com' }],
  ['a name with blanks around it', { username: ' alice ' }],
])('%s', async (_, fields) => {
  const { post } = await open()
  expect(await post('/api/auth/local/register', { ...newcomer, ...fields })).toMatchObject(taken)
})

test('two who want one name at the same time: one gets it', async () => {
  const { post } = await open()
  const answers = await Promise.all(
    ['a@x.io', 'b@x.io', 'c@x.io'].map((email) => post('/api/auth/local/register', { ...newcomer, email })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
})

test.each([
  [{ username: 'ab' }, 'username must be at least 3 characters'],
  [{ username: '   a' }, 'username must be at least 3 characters'],
  [{ username: 'a\u0000bc' }, 'username must not hold control characters'],
  [{ username: 'ab\u009bc' }, 'username must not hold control characters'],
  [{ username: 'ab\u2028c' }, 'username must not hold control characters'],
  [{ username: 'abc\r\nBcc: all@x.test' }, 'username must not hold control characters'],
  [{ email: 'nope' }, 'email must be a valid email'],
  [{ email: 'a\u001bb@x.test' }, 'email must be a valid email'],
  [{ email: 'a\u0007b@x.test' }, 'email must be a valid email'],
  [{ email: 'x@x.test\r\nBcc: all@x.test' }, 'email must be a valid email'],
  [{ email: 'alice+tag@x.test ' }, 'email must be a valid email'],
  [{ password: 'short' }, 'password must be at least 6 characters'],
  [{ username: 'u'.repeat(3000) }, 'username must be at most 2000 characters'],
])('%j is refused', async (fields, message) => {
  const { post } = await open()
  expect(await post('/api/auth/local/register', { ...newcomer, ...fields })).toMatchObject({
    status: 400,
    body: { error: { name: 'ValidationError', message } },
  })
})

test('registration that is switched off', async () => {
  const { post } = await open(withAdvanced({ allow_register: false }))
  expect(await post('/api/auth/local/register', newcomer)).toMatchObject({
    status: 400,
    body: { error: { name: 'ApplicationError', message: 'Register action is currently disabled' } },
  })
})

describe('confirmation', () => {
  const confirming = withAdvanced({
    email_confirmation: true,
    email_confirmation_redirection: 'https://front.example/ok',
  })
  const codeOf = ({ cms }: Asking): string =>
    /confirmation=([0-9a-f]+)/.exec(cms.outbox.at(-1)?.text ?? '')?.[1] ?? ''

  test('by a link that is mailed and works once', async () => {
    const ask = await open(confirming)
    const registered = await ask.post('/api/auth/local/register', newcomer)
    expect(registered).toMatchObject({ status: 200, body: { user: { confirmed: false } } })
    expect(registered.body).not.toHaveProperty('jwt')
    expect(await ask.post('/api/auth/local', { identifier: 'newcomer', password: 'secret1' })).toMatchObject({
      status: 400,
      body: { error: { name: 'ApplicationError', message: 'Your account email is not confirmed' } },
    })
    const link = `/api/auth/email-confirmation?confirmation=${codeOf(ask)}`
    expect(ask.cms.outbox.at(-1)?.text).toContain(`https://cms.example${link}`)
    const confirmed = await ask.cms.fetch(link, { redirect: 'manual' })
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([302, 'https://front.example/ok'])
    expect((await ask.get(link)).status).toBe(400)
    await ask.logIn('newcomer', 'secret1')
  })

  test('is sent again, and nobody is told who needs it', async () => {
    const ask = await open(confirming)
    await ask.post('/api/auth/local/register', newcomer)
    const first = codeOf(ask)
    const sent = ask.cms.outbox.length
    for (const email of ['alice@example.com', 'unknown@example.com', 'dave@example.com']) {
      expect(await ask.post('/api/auth/send-email-confirmation', { email })).toEqual({
        status: 200,
        body: { email, sent: true },
      })
    }
    expect(ask.cms.outbox).toHaveLength(sent)
    await ask.post('/api/auth/send-email-confirmation', { email: 'NEW@example.com' })
    expect(codeOf(ask)).not.toBe(first)
    expect((await ask.get(`/api/auth/email-confirmation?confirmation=${first}`)).status).toBe(400)
  })

  test('without it nobody can ask for one', async () => {
    const { post } = await open()
    const answers = await Promise.all(
      ['alice@example.com', 'unknown@example.com'].map((email) =>
        post('/api/auth/send-email-confirmation', { email }),
      ),
    )
    expect(answers[0]).toEqual(answers[1])
  })

  test('a token ends when confirmation is asked for and was not given', async () => {
    const users = [{ username: 'erin', email: 'erin@x.io', password: 'secret1', confirmed: false }]
    const auth = { ...accountsConfig.auth, users }
    const lenient = await open({ auth })
    const token = await lenient.logIn('erin', 'secret1')
    expect((await lenient.get('/api/users/me', token)).status).toBe(200)
    const strict = await open({ ...confirming, auth })
    expect(await strict.get('/api/users/me', token)).toMatchObject({
      status: 401,
      body: { error: { message: 'Invalid credentials' } },
    })
  })
})
