// Accounts through GraphQL: the same requests as over REST, with the same limits and the same things that no body sets.

import { afterEach, describe, expect, test } from 'vitest'
import { type Asking, accountsConfig, openAccounts, SECRET } from './open-accounts.ts'

const PASSWORD = 'Passw0rd!alice'
const opened: Asking[] = []
afterEach(async () => {
  for (const { cms } of opened.splice(0)) await cms.close()
})

const roles = accountsConfig.auth.roles
const config = (settings: object = {}, advanced: object = {}) => ({
  plugins: {
    email: true,
    graphql: true,
    'users-permissions': {
      config: { jwtSecret: SECRET, ratelimit: { enabled: false }, advanced, ...settings },
    },
  },
  auth: { ...accountsConfig.auth, roles: { ...roles, public: { permissions: publicMay } } },
})
const publicMay = [
  'plugin::users-permissions.auth.register',
  'plugin::users-permissions.auth.forgotPassword',
  'plugin::users-permissions.auth.resetPassword',
  'plugin::users-permissions.auth.emailConfirmation',
]

interface GraphqlAnswer {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

async function open(settings?: object, advanced?: object) {
  const ask = await openAccounts(config(settings, advanced))
  opened.push(ask)
  return {
    ask,
    async run(query: string, token?: string, variables: object = {}): Promise<GraphqlAnswer> {
      return (await ask.post('/graphql', { query, variables }, token)).body as GraphqlAnswer
    },
  }
}

function payloadOf<T>({ data, errors }: GraphqlAnswer, name: string): T {
  expect(errors).toBeUndefined()
  return data?.[name] as T
}

const faultOf = ({ errors = [] }: GraphqlAnswer): string =>
  errors.map(({ message, extensions }) => `${extensions.code}: ${message}`).join('\n')
const LOGIN =
  'mutation ($i: UsersPermissionsLoginInput!) { login(input: $i) { jwt user { username role { type } } } }'
const login = (identifier: string, password: string) => ({ i: { identifier, password } })

test('a login is open to everybody; its token says who one is over both faces', async () => {
  const { ask, run } = await open()
  const { jwt, user } = payloadOf<{ jwt: string; user: unknown }>(
    await run(LOGIN, undefined, login('alice', PASSWORD)),
    'login',
  )
  expect(user).toEqual({ username: 'alice', role: null })
  expect((await ask.get('/api/users/me', jwt)).status).toBe(200)
  expect(await run('{ me { id username email blocked role { id name type } } }', jwt)).toEqual({
    data: {
      me: {
        id: '1',
        username: 'alice',
        email: 'alice@example.com',
        blocked: false,
        // One's own role, whether or not one may read roles.
        role: { id: '1', name: 'Authenticated', type: 'authenticated' },
      },
    },
  })
  expect(faultOf(await run('{ me { id } }'))).toBe('FORBIDDEN: Forbidden access')
  expect(faultOf(await run(LOGIN, undefined, login('alice', 'wrong')))).toBe(
    'BAD_USER_INPUT: Invalid identifier or password',
  )
})

describe('one login or change of an account in a request', () => {
  const one = (alias: string) =>
    `${alias}: login(input: {identifier: "alice", password: "${PASSWORD}"}) { jwt }`
  const forgot = 'forgotPassword(email: "alice@example.com") { ok }'
  const reset = 'resetPassword(code: "x", password: "secret1", passwordConfirmation: "secret1") { jwt }'
  const batch = (...queries: string[]) => queries.map((query) => ({ query }))

  test.each([
    ['aliases', { query: `mutation { ${one('a')} ${one('b')} }` }, 2],
    ['different ones', { query: `mutation { ${reset} ${forgot} }` }, 2],
    ['a fragment', { query: `mutation { ...F ${one('b')} } fragment F on Mutation { ${forgot} }` }, 2],
    ['ten in a batch', batch(...Array<string>(10).fill(`mutation { ${one('a')} }`)), 10],
    [
      'different ones in a batch',
      batch(`mutation { ${one('a')} }`, '{ __typename }', `mutation { ${forgot} }`),
      2,
    ],
    [
      'by their names in a batch',
      ['A', 'B'].map((operationName) => ({
        query: `mutation A { ${one('a')} } mutation B { ${forgot} }`,
        operationName,
      })),
      2,
    ],
  ])('%s are refused', async (_name, body, count) => {
    const { ask } = await open()
    const answer = await ask.cms.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      errors: [
        {
          message: `a request may log in, register, or change or confirm an account once; this one does it ${count} times`,
        },
      ],
    })
  })

  test.each([
    ['alone', `mutation { ${one('a')} }`, undefined],
    ['the same field twice', `mutation { ${one('a')} ${one('a')} }`, undefined],
    ['one of two operations', `mutation A { ${one('a')} } mutation B { ${forgot} }`, 'A'],
  ])('%s is one', async (_name, query, operationName) => {
    const { ask } = await open()
    const answers = [{ query, operationName }, [{ query, operationName }, { query: '{ __typename }' }]].map(
      (body) =>
        ask.cms.fetch('/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
    )
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('"jwt":"ey')
    }
  })
})

test('tries are counted with those over REST', async () => {
  const { ask, run } = await open({ ratelimit: { enabled: true, interval: '60s', max: 3 } })
  await ask.post('/api/auth/local', { identifier: 'alice', password: 'wrong' }, 'full-token')
  for (let n = 0; n < 2; n++) await run(LOGIN, undefined, login('alice', 'wrong'))
  expect(faultOf(await run(LOGIN, undefined, login('ALICE', PASSWORD)))).toBe(
    'STRAPI_RATE_LIMIT_ERROR: Too many requests, please try again later.',
  )
  const answer = await ask.cms.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: LOGIN, variables: login('alice', PASSWORD) }),
  })
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50)
})

test('a password is reset by the code of a mail, once, and changed by those who know it; tokens end', async () => {
  const { ask, run } = await open()
  const { jwt: token } = payloadOf<{ jwt: string }>(
    await run(LOGIN, undefined, login('alice', PASSWORD)),
    'login',
  )
  expect(await run('mutation { forgotPassword(email: "alice@example.com") { ok } }')).toEqual({
    data: { forgotPassword: { ok: true } },
  })
  const code = /code=([0-9a-f]+)/.exec(ask.cms.outbox.at(-1)?.text ?? '')?.[1]
  const reset = `mutation { resetPassword(code: "${code}", password: "brand new", passwordConfirmation: "brand new") { jwt user { username } } }`
  const { jwt } = payloadOf<{ jwt: string }>(await run(reset), 'resetPassword')
  expect(faultOf(await run(reset))).toBe('BAD_USER_INPUT: Incorrect code provided')
  expect((await ask.get('/api/users/me', token)).status).toBe(401)
  const change = (current: string) =>
    `mutation { changePassword(currentPassword: "${current}", password: "newer still", passwordConfirmation: "newer still") { jwt } }`
  expect(faultOf(await run(change('wrong'), jwt))).toBe(
    'BAD_USER_INPUT: The provided current password is invalid',
  )
  expect((await run(change('brand new'), jwt)).errors).toBeUndefined()
  expect((await ask.get('/api/users/me', jwt)).status).toBe(401)
})

test('an address is confirmed', async () => {
  const { ask, run } = await open({}, { email_confirmation: true })
  const input = '{username: "fresh", email: "Fresh@Example.com", password: "secret1"}'
  expect(await run(`mutation { register(input: ${input}) { jwt user { email confirmed } } }`)).toEqual({
    data: { register: { jwt: null, user: { email: 'fresh@example.com', confirmed: false } } },
  })
  const code = /confirmation=([0-9a-f]+)/.exec(ask.cms.outbox.at(-1)?.text ?? '')?.[1]
  const confirm = `mutation { emailConfirmation(confirmation: "${code}") { jwt } }`
  const { jwt } = payloadOf<{ jwt: string }>(await run(confirm), 'emailConfirmation')
  expect((await ask.get('/api/users/me', jwt)).status).toBe(200)
  expect(faultOf(await run(confirm))).toBe('BAD_USER_INPUT: Invalid token')
})

test('users are written by those who may; what a login rests on is not', async () => {
  const { ask, run } = await open()
  const data = `{username: "made", email: "Made@Example.com", password: "secret1", role: 1, provider: "github", resetPasswordToken: "known", confirmationToken: "known"}`
  const create = `mutation { createUsersPermissionsUser(data: ${data}) { data { id attributes { username email provider role { data { id } } } } } }`
  const alice = payloadOf<{ jwt: string }>(await run(LOGIN, undefined, login('alice', PASSWORD)), 'login')
  expect(faultOf(await run(create, alice.jwt))).toBe('FORBIDDEN: Forbidden access')
  expect(await run(create, 'full-token')).toEqual({
    data: {
      createUsersPermissionsUser: {
        data: {
          id: '5',
          attributes: {
            username: 'made',
            email: 'made@example.com',
            provider: 'local',
            role: { data: { id: '1' } },
          },
        },
      },
    },
  })
  const epoch = 'mutation { updateUsersPermissionsUser(id: 1, data: {tokenEpoch: 0}) { data { id } } }'
  expect(faultOf(await run(epoch, 'full-token'))).toContain('"tokenEpoch" is not defined')
  const update =
    'mutation { updateUsersPermissionsUser(id: 1, data: {password: "set by another"}) { data { id } } }'
  expect((await run(update, 'full-token')).errors).toBeUndefined()
  expect((await ask.get('/api/users/me', alice.jwt)).status).toBe(401)
  expect(
    (await run('mutation { deleteUsersPermissionsUser(id: 1) { data { id } } }', 'full-token')).errors,
  ).toBeUndefined()
  expect(faultOf(await run(LOGIN, undefined, login('alice', 'set by another')))).toBe(
    'BAD_USER_INPUT: Invalid identifier or password',
  )
})

test.each(['user', 'role'])('%s taken out of the schema leaves the rest', async (name) => {
  const ask = await openAccounts({
    ...config(),
    graphql: { shadowCRUD: { [`plugin::users-permissions.${name}`]: { disable: true } } },
  })
  opened.push(ask)
  const { body } = await ask.post('/graphql', { query: '{ __type(name: "Mutation") { fields { name } } }' })
  const fields = JSON.stringify(body)
  expect(fields).toContain('"login"')
  expect(fields.includes('createUsersPermissionsUser')).toBe(name !== 'user')
  expect(fields.includes('createUsersPermissionsRole')).toBe(name !== 'role')
})

test('roles are made and taken away; what cannot be said here is refused', async () => {
  const { run } = await open()
  const ok = (name: string) => ({ data: { [name]: { ok: true } } })
  expect(
    await run('mutation { createUsersPermissionsRole(data: {name: "Critic"}) { ok } }', 'full-token'),
  ).toEqual(ok('createUsersPermissionsRole'))
  expect(
    faultOf(
      await run(
        'mutation { createUsersPermissionsRole(data: {name: "x2x", permissions: [1]}) { ok } }',
        'full-token',
      ),
    ),
  ).toBe('BAD_USER_INPUT: permissions of a role cannot be set through GraphQL')
  expect(faultOf(await run('mutation { deleteUsersPermissionsRole(id: 3) { ok } }', 'full-token'))).toContain(
    'declared in the configuration file',
  )
  expect(await run('mutation { deleteUsersPermissionsRole(id: 4) { ok } }', 'full-token')).toEqual(
    ok('deleteUsersPermissionsRole'),
  )
})
