// No error repeats what was sent for a secret: a password, a code, a private attribute; over GraphQL as a literal or in
// variables, over REST in a payload.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const SECRET = 'hunter2secret'
const config = {
  plugins: { graphql: true, 'users-permissions': { config: { ratelimit: { enabled: false } } } },
  contentTypes: {
    person: {
      info: { pluralName: 'persons' },
      attributes: {
        name: 'string',
        pin: { type: 'integer', private: true },
        born: { type: 'datetime', private: true },
        note: { type: 'string', private: true },
        passphrase: 'password',
        text: { type: 'blocks', private: true },
        card: { type: 'component', component: 'person.card' },
        cards: { type: 'component', component: 'person.card', repeatable: true, private: true },
      },
    },
  },
  components: {
    'person.card': {
      attributes: { number: { type: 'integer', private: true }, bank: { type: 'string', maxLength: 5 } },
    },
  },
  auth: {
    roles: {
      public: { permissions: ['person.*', 'plugin::users-permissions.*'] },
    },
  },
}

let cms: Cms
beforeAll(async () => {
  cms = await createCms(config, { env: {} })
})
afterAll(() => cms.close())

async function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json' }
  const response = await cms.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}

const values: readonly unknown[] = [
  47.1147,
  [SECRET],
  { a: { b: SECRET } },
  { [SECRET]: 1 },
  [47.1147, [SECRET]],
]
const literal = (value: unknown): string => JSON.stringify(value).replaceAll(/"(\w+)":/g, '$1:')

const mutations: readonly (readonly [string, (secret: string) => string])[] = [
  ['login', (secret) => `login(input: { identifier: "a", password: ${secret} }) { jwt }`],
  ['register', (s) => `register(input: { username: "abc", email: "a@x.io", password: ${s} }) { jwt }`],
  ['resetPassword', (s) => `resetPassword(code: ${s}, password: "a", passwordConfirmation: "b") { jwt }`],
  ['emailConfirmation', (s) => `emailConfirmation(confirmation: ${s}) { jwt }`],
  ['createPerson', (s) => `createPerson(data: { name: "a", passphrase: ${s} }) { data { id } }`],
  ['a private number', (s) => `createPerson(data: { name: "a", pin: ${s} }) { data { id } }`],
  ['a private date', (s) => `createPerson(data: { name: "a", born: ${s} }) { data { id } }`],
  ['in a component', (s) => `createPerson(data: { card: { number: ${s}, bank: "a" } }) { data { id } }`],
]

describe.each(mutations)('%s', (_name, mutation) => {
  test.each(values.map((value) => [value]))('%j as a literal, a variable and a default', async (value) => {
    const answers = [
      await post('/graphql', { query: `mutation { ${mutation(literal(value))} }` }),
      await post('/graphql', {
        query: `mutation ($x: String!) { ${mutation('$x')} }`,
        variables: { x: value },
      }),
      await post('/graphql', { query: `mutation ($x: String = ${literal(value)}) { ${mutation('$x')} }` }),
    ]
    for (const { text } of answers) {
      expect(text).toContain('"errors"')
      expect(text).not.toMatch(/hunter2|1147/)
    }
  })
})

const inputs: readonly (readonly [string, unknown])[] = [
  ['an unknown field beside it', { identifier: 'a', password: SECRET, provider2: 1 }],
  ['a required field that is missing', { password: SECRET }],
  ['a list of it', [{ identifier: 'a', password: SECRET }]],
  ['another type', { identifier: 7, password: SECRET }],
  ['deep in something else', { identifier: { password: { a: [SECRET] } }, password: '' }],
]
test.each(inputs)('variables with %s', async (_name, input) => {
  const query = 'mutation ($input: UsersPermissionsLoginInput!) { login(input: $input) { jwt } }'
  const { status, text } = await post('/graphql', { query, variables: { input } })
  expect(status).toBe(400)
  expect(text).toContain('Variable \\"$input\\" got invalid value')
  expect(text).not.toContain(SECRET)
})

test.each([
  ['literals', `mutation { login(input: [1, { identifier: 1, password: "${SECRET}" }]) { jwt } }`],
  ['a text where none belongs', `mutation { login(input: { password: "a" "${SECRET}" }) { jwt } }`],
  [
    'a block of text',
    `mutation { createPerson(data: { pin: """\n  ${SECRET}\n  second\n""" }) { data { id } } }`,
  ],
  [
    'an input where text belongs',
    `mutation { login(input: { identifier: { password: "${SECRET}" } }) { jwt } }`,
  ],
])('a document with %s', async (_name, query) => {
  const { status, text } = await post('/graphql', { query })
  expect(status).toBe(400)
  expect(text).not.toContain(SECRET)
})

test('what is not secret is still shown', async () => {
  const query = 'mutation ($data: PersonInput!) { createPerson(data: $data) { data { id } } }'
  const { text } = await post('/graphql', {
    query,
    variables: { data: { name: 4711, passphrase: 'open sesame' } },
  })
  expect(text).toContain('String cannot represent a non string value: 4711')
  const wrong = await post('/graphql', { query: '{ persons { data { attributes { nam } } } }' })
  expect(wrong.text).toContain('Cannot query field \\"nam\\"')
})

const payloads: readonly unknown[] = [
  { passphrase: 47.1147 },
  { passphrase: [SECRET] },
  { pin: SECRET },
  { pin: { a: SECRET } },
  { born: SECRET },
  { note: { a: SECRET } },
  { note: 47.1147 },
  { text: SECRET },
  { text: [{ type: SECRET }] },
  { card: { number: SECRET } },
  { cards: SECRET },
  { cards: [{ bank: [SECRET] }] },
  { cards: [SECRET] },
]
test.each(payloads.map((data) => [data]))('REST: %j', async (data) => {
  for (const body of [{ data: { name: 'a', ...(data as object) } }, { data: [data] }]) {
    const { status, text } = await post('/api/persons', body)
    expect(status, text).toBe(400)
    expect(text).not.toMatch(/hunter2|1147/)
  }
})

test.each(['/api/auth/local', '/api/auth/reset-password', '/api/auth/change-password', '/api/users'])(
  '%s',
  async (path) => {
    for (const value of values) {
      const secrets = { password: value, passwordConfirmation: value, code: value, currentPassword: value }
      const { status, text } = await post(path, {
        identifier: 'a',
        username: 'abcd',
        email: 'a@x.io',
        role: 1,
        ...secrets,
      })
      expect(status).toBe(400)
      expect(text).not.toMatch(/hunter2|1147/)
    }
  },
)
