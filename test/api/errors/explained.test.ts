// What refusals explain in development, and that nothing of it leaves elsewhere.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'

function open(environment: string): Promise<Cms> {
  return createCms(
    {
      server: { environment, log: { level: 'silent' } },
      contentTypes: {
        article: {
          rest: { config: { findOne: { policies: ['never'] } } },
          attributes: {
            title: 'string',
            secret: { type: 'string', private: true },
            author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
          },
        },
        author: { attributes: { name: 'string' } },
      },
      policies: { never: { cel: 'false' } },
      auth: { roles: { public: { permissions: ['article.find', 'article.findOne', 'article.create'] } } },
      plugins: { graphql: { enabled: true } },
    },
    { env: {} },
  )
}

/** The parts of an answer that a developer reads. */
async function refusal(cms: Cms, target: string, init: RequestInit = {}) {
  const response = await cms.fetch(target, init)
  const body = JSON.parse(await response.text())
  const error = body.error ?? body.errors[0].extensions.error ?? body.errors[0]
  return { error, explain: error.details?.explain ?? error.extensions?.explain }
}

const graphql = (query: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query }),
})
const post = (body: string, type?: string): RequestInit => ({
  method: 'POST',
  ...(type !== undefined && { headers: { 'content-type': type } }),
  body: Buffer.from(body),
})

const refused = [
  [
    'a permission',
    '/api/authors',
    {},
    /needs the permission author\.find: add "author\.find" to auth\.roles\.public\.permissions/,
  ],
  ['a policy', '/api/articles/1', {}, /^the policy "false" did not allow this request$/],
  ['an unknown name', '/api/articles?filters[titel]=a', {}, /no attribute "titel"; did you mean "title"\?/],
  ['a private name', '/api/articles?sort=secret', {}, /"secret" is private/],
  ['a relation', '/api/articles?filters[author][name]=a', {}, /needs the permission author\.find/],
  [
    'a relation in a payload',
    '/api/articles',
    post('{"data":{"author":1}}', 'application/json'),
    /^"author" leads to api::author\.author, which needs the permission author\.find$/,
  ],
  ['a relation among fields', '/api/articles?fields=id,title', {}, /fields\[0\]=/],
  ['?limit', '/api/articles?limit=5', {}, /write pagination\[limit\] instead of limit/],
  ['a body without data', '/api/articles', post('{"title":"a"}', 'application/json'), /\{"data":\{…\}\}/],
  [
    'a body without a type',
    '/api/articles',
    post('{"data":{}}'),
    /it has no content-type: send "content-type: application\/json"/,
  ],
  ['a body of text', '/api/articles', post('{"data":{}}', 'text/plain'), /it is text\/plain/],
  [
    'GraphQL: a permission',
    '/graphql',
    graphql('{ authors { data { id } } }'),
    /needs the permission author\.find/,
  ],
  [
    'GraphQL: an argument',
    '/graphql',
    graphql('{ articles(limit: 3) { data { id } } }'),
    /articles\(pagination: \{ limit: … \}\)/,
  ],
  [
    'GraphQL: an attribute',
    '/graphql',
    graphql('{ articles(title: "a") { data { id } } }'),
    /articles\(filters: \{ title: \{ eq: … \} \}\)/,
  ],
] as const

describe('in development', () => {
  let cms: Cms
  beforeAll(async () => {
    cms = await open('development')
  })
  afterAll(() => cms.close())

  test.each(refused)('%s is explained', async (_name, target, init, message) => {
    expect((await refusal(cms, target, init)).explain.message).toMatch(message)
  })

  test('a missing permission comes with the lines that grant it', async () => {
    const { explain } = await refusal(cms, '/api/authors')
    expect(explain.yaml).toBe('auth: { roles: { public: { permissions: [author.find] } } }')
  })

  test('an argument of a field without filters is not guessed at', async () => {
    expect((await refusal(cms, '/graphql', graphql('{ article(title: "a") { data { id } } }'))).explain).toBe(
      undefined,
    )
  })
})

describe.each(['production', 'staging'])('in %s', (environment) => {
  let cms: Cms
  beforeAll(async () => {
    cms = await open(environment)
  })
  afterAll(() => cms.close())

  test.each(refused)('%s is not explained', async (_name, target, init) => {
    expect(JSON.stringify(await refusal(cms, target, init))).not.toMatch(/explain|private|permission/)
  })

  test('unknown, private and forbidden names look alike', async () => {
    for (const use of ['filters[NAME]=a', 'filters[NAME][name]=a', 'sort=NAME', 'fields=NAME']) {
      const [unknown, secret, forbidden] = await Promise.all(
        ['unknown', 'secret', 'author'].map(async (name) => {
          const { error } = await refusal(cms, `/api/articles?${use.replace('NAME', name)}`)
          return JSON.stringify(error).replace(name, 'NAME')
        }),
      )
      expect(secret).toBe(unknown)
      expect(forbidden).toBe(unknown)
    }
  })

  test('JSON that curl sends as a form is told so: that is no secret', async () => {
    const form = post('{"data":{"title":"a"}}', 'application/x-www-form-urlencoded')
    for (const target of ['/api/articles', '/graphql']) {
      expect((await refusal(cms, target, form)).error.message).toMatch(
        /the body is JSON, but was sent as a form/,
      )
    }
  })
})
