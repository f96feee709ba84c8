// Every name that an expression may use, asked for through REST and GraphQL: what it holds where it means something, and
// that it is null where it means nothing.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const CONFIG_OF_POLICY = { role: 'editor', most: 3 }

const USER = [
  'state.user.username == "ann"',
  'state.user.role.type == config.role',
  '!has(state.user.password)',
  'state.auth.strategy.name == "users-permissions"',
  'state.auth.credentials.id == state.user.id',
]
const TOKEN = [
  'state.user == null',
  'state.auth.strategy.name == "api-token"',
  'state.auth.credentials != null',
]
const NOBODY = ['state.user == null', 'state.auth.credentials == null']
const CONFIG = ['config.role == "editor"', 'config.most == 3', 'size(config) == 2']
const HEADERS = [
  'http.headers["x-key"] == "k1"',
  '"x-key" in http.headers',
  '!("x-nope" in http.headers)',
  'has(http.headers.accept)',
  'size(http.headers) > 2',
  'http.headers.exists(name, name == "x-key")',
  'http.headers.all(name, name == name && size(http.headers[name]) >= 0)',
]

type Api = 'rest' | 'graphql' | 'nested'
type Caller = 'user' | 'token' | 'nobody'

/** Each expression has to agree, and its opposite to refuse. */
const rows: readonly (readonly [Api, Caller, readonly string[]])[] = [
  ['rest', 'user', USER],
  ['graphql', 'user', USER],
  ['rest', 'token', TOKEN],
  ['graphql', 'token', TOKEN],
  ['rest', 'nobody', NOBODY],
  ['graphql', 'nobody', NOBODY],
  ['rest', 'nobody', CONFIG],
  ['graphql', 'nobody', CONFIG],
  ['rest', 'nobody', [...HEADERS, 'http.method == "PUT"', 'http.path.startsWith("/api/checks/")']],
  ['graphql', 'nobody', [...HEADERS, 'http.method == "POST"', 'http.path == "/graphql"']],
  ['rest', 'nobody', ['params.id == "7"', 'size(params) == 1']],
  ['rest', 'nobody', ['query.fields[0] == "text"', 'query.filters.stars["$gt"] == "2"', 'size(query) == 2']],
  ['rest', 'nobody', ['body.data.text == "x"', 'body.data.stars + 1 == 3', 'size(body.data) == 2']],
  ['rest', 'nobody', ['args == null', 'parent == null']],
  ['graphql', 'nobody', ['args.id == "7"', 'args.data.text == "x"', 'args.data.stars + 1 == 3']],
  ['graphql', 'nobody', ['parent == null', 'params == null', 'query == null', 'body == null']],
  ['nested', 'nobody', ['parent.name == "outer"', 'size(parent.list) == 2', 'size(args) == 0']],
]

const cases = rows.flatMap(([api, caller, expressions]) =>
  expressions.flatMap((one) => [
    { api, caller, expression: one, agrees: true },
    { api, caller, expression: `!(${one})`, agrees: false },
  ]),
)

let cms: Cms
let folder: string
let jwt: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-expressions-'))
  await writeFile(join(folder, 'handler.js'), 'module.exports = () => ({ agreed: true })')
  const policyOf = (expression: string) => ({ cel: expression, config: CONFIG_OF_POLICY })
  const fields = cases.map((_, index) => `c${index}`)
  const given = '(id: ID, data: JSON): Boolean'
  const config = {
    plugins: { graphql: true, 'users-permissions': true },
    contentTypes: { note: { attributes: { text: 'string', any: 'json' } } },
    auth: {
      roles: { public: { permissions: ['plugin::users-permissions.auth.callback'] }, editor: {} },
      users: [{ username: 'ann', email: 'ann@example.com', password: 'secret-of-ann', role: 'editor' }],
      apiTokens: [{ name: 'all', type: 'full-access', token: 'all-of-it' }],
    },
    routes: cases.map(({ expression }, index) => ({
      method: 'PUT',
      path: `/checks/:id/c${index}`,
      handler: './handler.js',
      auth: false,
      policies: [policyOf(expression)],
    })),
    graphql: {
      resolversConfig: {
        'Query.outer': { auth: false },
        ...Object.fromEntries(
          cases.map(({ api, expression }, index) => [
            `${api === 'nested' ? 'Outer' : 'Mutation'}.c${index}`,
            { auth: false, policies: [policyOf(expression)] },
          ]),
        ),
      },
    },
  }
  await writeFile(join(folder, 'cms.yaml'), JSON.stringify(config))
  cms = await createCms(join(folder, 'cms.yaml'), {
    env: {},
    register: ({ graphql: { extension } }) =>
      extension.use({
        typeDefs: `
          type Outer { ${fields.map((name) => `${name}: Boolean`).join(' ')} }
          type Query { outer: Outer }
          type Mutation { ${fields.map((name) => `${name}${given}`).join(' ')} }`,
        resolvers: {
          Query: {
            outer: () => ({
              name: 'outer',
              list: [1, 2],
              ...Object.fromEntries(fields.map((name) => [name, true])),
            }),
          },
          Mutation: Object.fromEntries(fields.map((name) => [name, () => true])),
        },
      }),
  })
  const login = await cms.fetch('/api/auth/local', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: 'ann', password: 'secret-of-ann' }),
  })
  jwt = ((await login.json()) as { jwt: string }).jwt
})

afterAll(async () => {
  await cms.close()
  await rm(folder, { recursive: true })
})

async function ask(api: Api, caller: Caller, index: number): Promise<string> {
  const token = { user: jwt, token: 'all-of-it', nobody: undefined }[caller]
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'X-Key': 'k1',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  if (api === 'rest') {
    const path = `/api/checks/7/c${index}?fields[0]=text&filters[stars][$gt]=2`
    const body = JSON.stringify({ data: { text: 'x', stars: 2 } })
    return (await cms.fetch(path, { method: 'PUT', headers, body })).text()
  }
  const query =
    api === 'nested'
      ? `{ outer { c${index} } }`
      : `mutation { c${index}(id: 7, data: { text: "x", stars: 2 }) }`
  return (await cms.fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) })).text()
}

describe('an expression', () => {
  test.each(cases.map((one, index) => ({ ...one, index })))(
    'of $api, asked by $caller: $expression',
    async ({ api, caller, agrees, index }) => {
      const answer = await ask(api, caller, index)
      if (agrees) expect(answer).toMatch(api === 'rest' ? /"agreed":true/ : /"c\d+":true/)
      else expect(answer).toContain('Policy Failed')
    },
  )
})
