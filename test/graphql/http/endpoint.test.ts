// The endpoint beside what the audits and the recorded cases ask of it: who may send what, batches, persisted queries,
// timings, faults, and what production keeps to itself.

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'

type Json = Record<string, unknown>

function configWith(graphql: Json, environment = 'development'): Json {
  return {
    server: { environment },
    contentTypes: { note: { attributes: { text: { type: 'string', required: true } } } },
    plugins: { graphql: { config: graphql } },
    auth: { roles: { public: { permissions: ['note.*'] } } },
    data: { note: [{ id: 1, text: 'one' }] },
  }
}

async function open(graphql: Json = {}, environment?: string): Promise<Cms> {
  return createCms(configWith(graphql, environment), { env: {} })
}

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string | FormData
}

async function send(cms: Cms, { method = 'POST', path = '/graphql', headers = {}, body }: Sent) {
  const init = body === undefined ? { method, headers } : { method, headers, body }
  const response = await cms.fetch(new Request(`http://localhost${path}`, init))
  const text = await response.text()
  return { status: response.status, type: response.headers.get('content-type'), text }
}

const JSON_BODY = { 'content-type': 'application/json' }

function ask(cms: Cms, body: unknown, headers: Record<string, string> = {}) {
  return send(cms, { headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(body) })
}

describe('an endpoint', () => {
  let cms: Cms
  beforeAll(async () => {
    cms = await open()
  })
  afterAll(() => cms.close())

  const CREATE = 'mutation { createNote(data: { text: "x" }) { data { id } } }'

  test.each([
    [
      'a mutation by GET',
      { method: 'GET', path: `/graphql?query=${encodeURIComponent(CREATE)}` },
      405,
      'GET supports only query operation',
    ],
    [
      'a mutation by a form',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `query=${CREATE}` },
      405,
      'GET supports only',
    ],
    [
      'a query by a form',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'query={ __typename }' },
      200,
      '"Query"',
    ],
    ['a form with files', { headers: {}, body: new FormData() }, 400, 'Cross-Site Request Forgery'],
    [
      'text',
      { headers: { 'content-type': 'text/plain' }, body: '{"query":"{ __typename }"}' },
      400,
      'POST body missing',
    ],
    ['two queries in one URL', { method: 'GET', path: '/graphql?query={a}&query={b}' }, 400, 'two "query"'],
    [
      'an own key __proto__',
      { headers: JSON_BODY, body: '{"query":"{ __typename }","variables":{"__proto__":1}}' },
      400,
      '__proto__',
    ],
    [
      'variables as text that hide it',
      { headers: JSON_BODY, body: '{"query":"{ __typename }","variables":"{\\"__proto__\\":1}"}' },
      400,
      'Variables are invalid JSON.',
    ],
    [
      'a list of lists',
      { headers: JSON_BODY, body: '[[{"query":"{ __typename }"}]]' },
      400,
      'POST body missing',
    ],
    ['HEAD', { method: 'HEAD' }, 405, ''],
  ] as const)('%s', async (_name, request, status, text) => {
    const answer = await send(cms, request)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(text)
  })

  test('a batch runs in one go, and is bounded', async () => {
    const query = { query: '{ notes { data { id } } }' }
    const two = await ask(cms, [query, { query: '{ nope }' }])
    expect(JSON.parse(two.text)).toMatchObject([
      { data: { notes: { data: [{ id: '1' }] } } },
      { errors: [{}] },
    ])
    const many = await ask(
      cms,
      Array.from({ length: 11 }, () => query),
    )
    expect(many).toMatchObject({ status: 400 })
    expect(many.text).toContain('at most 10 operations, not 11')
  })

  test('a persisted query is asked for, sent, and known', async () => {
    const query = '{ notes { data { attributes { text } } } }'
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
    }
    expect((await ask(cms, { extensions })).text).toContain('PERSISTED_QUERY_NOT_FOUND')
    expect((await ask(cms, { query: '{ other }', extensions })).text).toContain(
      'provided sha does not match query',
    )
    expect((await ask(cms, { extensions })).text).toContain('PERSISTED_QUERY_NOT_FOUND')
    expect((await ask(cms, { query, extensions })).text).toContain('one')
    expect((await ask(cms, { extensions })).text).toContain('one')
    const url = `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`
    expect((await send(cms, { method: 'GET', path: url })).text).toContain('one')
  })

  test.each([
    ['application/graphql-response+json', 400, 'application/graphql-response+json; charset=utf-8'],
    ['application/json', 200, 'application/json'],
    ['application/json, */*', 400, 'application/json'],
    [
      'application/json;q=0.5, application/graphql-response+json',
      400,
      'application/graphql-response+json; charset=utf-8',
    ],
    ['application/graphql-response+json;q=0, application/json', 400, 'application/json'],
    ['text/xml', 400, 'application/json'],
  ])('what was refused, for a client that accepts %s', async (accept, status, type) => {
    expect(await ask(cms, { query: '{ nope }' }, { accept })).toMatchObject({ status, type })
  })

  test('a bad token is refused before anything else is looked at', async () => {
    const answer = await ask(cms, { query: '{ nope' }, { authorization: 'Bearer nope' })
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.text)).toMatchObject({ error: { name: 'UnauthorizedError' } })
  })

  test('errors of documents are 20 at most', async () => {
    const query = `{ ${Array.from({ length: 300 }, (_, index) => `nope${index}`).join(' ')} }`
    const { errors } = JSON.parse((await ask(cms, { query })).text) as { errors: unknown[] }
    expect(errors.length).toBeLessThanOrEqual(20)
  })
})

describe('limits', () => {
  let cms: Cms
  beforeAll(async () => {
    cms = await open({ depthLimit: 3 })
  })
  afterAll(() => cms.close())

  const chain = Array.from(
    { length: 16 },
    (_, index) => `fragment F${index} on Query { ...F${index + 1} a${index}: __typename ...F${index + 1} }`,
  ).join(' ')

  test.each([
    ['depth', '{ notes { data { attributes { text } } } }', undefined],
    [
      'too deep',
      'query Deep { notes { data { attributes { text { x } } } } }',
      "'Deep' exceeds maximum operation depth of 3",
    ],
    [
      'too deep through fragments',
      '{ notes { ...A } } fragment A on NoteEntityResponseCollection { data { ...B } } fragment B on NoteEntity { attributes { text { x } } }',
      'exceeds maximum operation depth of 3',
    ],
    [
      'aliases',
      `{ ${Array.from({ length: 51 }, (_, index) => `a${index}: __typename`).join(' ')} }`,
      'more than 50 aliases',
    ],
    ['directives', `{ __typename ${'@skip(if: false)'.repeat(51)} }`, 'more than 50 directives'],
    ['tokens', `{ ${'__typename '.repeat(5001)} }`, 'more that 5000 tokens'],
    ['size', `# ${'x'.repeat(70_000)}\n{ __typename }`, 'longer than 65536 characters'],
    [
      'fragments that multiply',
      `{ ...F0 } ${chain} fragment F16 on Query { __typename }`,
      'more than 2000 fields',
    ],
    [
      'a fragment within itself',
      '{ ...A } fragment A on Query { ...A }',
      'Cannot spread fragment "A" within itself.',
    ],
    [
      'two that spread each other',
      '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
      'within itself',
    ],
    ['an unknown fragment', '{ ...A }', 'Unknown fragment "A".'],
    ['an alias that is reserved', '{ __proto__: notes { data { id } } }', 'begins with "__"'],
    [
      'a variable that is reserved',
      'query ($__proto__: ID) { note(id: $__proto__) { data { id } } }',
      'begins with "__"',
    ],
    ['defer', '{ notes @defer { data { id } } }', 'Unknown directive "@defer".'],
  ] as const)('%s', async (_name, query, message) => {
    const answer = await ask(cms, { query })
    if (message === undefined) expect(answer.status).toBe(200)
    else {
      expect(answer.status).toBe(400)
      expect(answer.text).toContain(JSON.stringify(message).slice(1, -1))
    }
  })
})

describe('options of apolloServer', () => {
  async function withOptions<T>(
    apolloServer: Json,
    use: (cms: Cms) => Promise<T>,
    environment?: string,
    more: Json = {},
  ): Promise<T> {
    const cms = await open({ ...more, apolloServer }, environment)
    try {
      return await use(cms)
    } finally {
      await cms.close()
    }
  }

  test('tracing', () =>
    withOptions({ tracing: true }, async (cms) => {
      for (let count = 0; count < 3; count++) {
        const { extensions } = JSON.parse((await ask(cms, { query: '{ notes { data { id } } }' })).text) as {
          extensions: { tracing: Json & { execution: { resolvers: Json[] } } }
        }
        const { tracing } = extensions
        expect(tracing).toMatchObject({ version: 1, parsing: {}, validation: {} })
        expect(new Date(String(tracing['startTime'])).getTime()).toBeGreaterThan(0)
        expect(tracing.execution.resolvers[0]).toMatchObject({
          path: ['notes'],
          parentType: 'Query',
          fieldName: 'notes',
          returnType: 'NoteEntityResponseCollection',
        })
        expect(tracing.execution.resolvers[0]?.['duration']).toBeGreaterThan(0)
      }
    }))

  test('csrfPrevention: true asks for a header of simple requests, too', () =>
    withOptions({ csrfPrevention: true }, async (cms) => {
      const get = { method: 'GET', path: '/graphql?query={__typename}' }
      expect((await send(cms, get)).text).toContain('Cross-Site Request Forgery')
      expect((await send(cms, { ...get, headers: { 'apollo-require-preflight': '1' } })).status).toBe(200)
      expect((await ask(cms, { query: '{ __typename }' })).status).toBe(200)
    }))

  test('persistedQueries: false', () =>
    withOptions({ persistedQueries: false }, async (cms) => {
      const answer = await ask(cms, { extensions: { persistedQuery: { version: 1, sha256Hash: 'a' } } })
      expect(answer.text).toContain('PERSISTED_QUERY_NOT_SUPPORTED')
    }))

  test('allowBatchedHttpRequests: false', () =>
    withOptions({ allowBatchedHttpRequests: false }, async (cms) => {
      expect(await ask(cms, [{ query: '{ __typename }' }])).toMatchObject({ status: 400 })
    }))

  test('hideSchemaDetailsFromClientErrors: true', () =>
    withOptions({ hideSchemaDetailsFromClientErrors: true }, async (cms) => {
      expect((await ask(cms, { query: '{ note { dta } }' })).text).not.toContain('Did you mean')
      expect((await ask(cms, { query: '{ __schema { queryType { name } } }' })).status).toBe(200)
    }))

  test('production keeps the schema to itself', () =>
    withOptions(
      {},
      async (cms) => {
        const schema = await ask(cms, { query: '{ __schema { queryType { name } } }' })
        expect(schema).toMatchObject({ status: 400 })
        expect(schema.text).toContain('introspection is not allowed')
        expect((await ask(cms, { query: '{ note { dta } }' })).text).not.toContain('Did you mean')
        expect((await ask(cms, { query: '{ note }' })).text).not.toContain('Did you mean')
        const variable = { query: 'query ($d: NoteInput!) { __typename }', variables: { d: { txt: 'x' } } }
        expect((await ask(cms, variable)).text).not.toContain('Did you mean')
        const page = await send(cms, { method: 'GET', headers: { accept: 'text/html' } })
        expect(page).toMatchObject({ status: 400, text: 'GET query missing.' })
        expect((await send(cms, { method: 'GET', path: '/graphql/explorer/react.js' })).status).toBe(404)
      },
      'production',
    ))

  test('unless it is asked for', () =>
    withOptions(
      { introspection: true },
      async (cms) => {
        expect((await ask(cms, { query: '{ __schema { queryType { name } } }' })).status).toBe(200)
        expect((await send(cms, { method: 'GET', headers: { accept: 'text/html' } })).type).toContain(
          'text/html',
        )
      },
      'production',
      { playgroundAlways: true },
    ))
})
