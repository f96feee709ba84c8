// `info.cacheControl.setCacheHint` of users' code and the Cache-Control of the answer.

import { afterEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

interface Info {
  readonly cacheControl: { setCacheHint(hint: object): void; readonly cacheHint: object }
}
type Next = (...given: readonly unknown[]) => unknown

let cms: Cms | undefined

afterEach(async () => {
  await cms?.close()
  cms = undefined
})

/** A middleware that gives this hint. */
const hint =
  (given: object) => (next: Next, parent: unknown, args: unknown, context: unknown, info: Info) => {
    info.cacheControl.setCacheHint(given)
    return next(parent, args, context, info)
  }

async function open(hints: Readonly<Record<string, object>>): Promise<Cms> {
  cms = await createCms(
    {
      contentTypes: {
        note: {
          attributes: {
            text: 'string',
            mate: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
          },
        },
        topic: { attributes: { name: 'string' } },
      },
      plugins: { graphql: true },
      auth: {
        roles: { public: { permissions: ['note.*', 'topic.*'] } },
        apiTokens: [{ name: 'all', type: 'full-access', token: 'all-of-it' }],
      },
      data: { note: [{ id: 1, text: 'one', mate: 1 }], topic: [{ id: 1, name: 'a' }] },
    },
    {
      env: {},
      register: ({ graphql: { extension } }) =>
        extension.use({
          typeDefs: 'type Query { fixed: String }',
          resolvers: {
            Query: {
              fixed: (_parent: unknown, _args: unknown, _context: unknown, info: Info) => {
                info.cacheControl.setCacheHint({ maxAge: 9 })
                return JSON.stringify(info.cacheControl.cacheHint)
              },
            },
          },
          resolversConfig: {
            'Query.fixed': { auth: false },
            ...Object.fromEntries(
              Object.entries(hints).map(([field, given]) => [field, { middlewares: [hint(given)] }]),
            ),
          },
        }),
    },
  )
  return cms
}

const LIST = '{ notes { data { attributes { text } } } }'

test.each<readonly [string, Record<string, object>, string, string | null]>([
  ['one root field', { 'Query.notes': { maxAge: 60, scope: 'PUBLIC' } }, LIST, 'max-age=60, public'],
  ['without a scope', { 'Query.notes': { maxAge: 60 } }, LIST, 'max-age=60, public'],
  ['private', { 'Query.notes': { maxAge: 60, scope: 'PRIVATE' } }, LIST, 'max-age=60, private'],
  ['no seconds', { 'Query.notes': { maxAge: 0 } }, LIST, null],
  ['nothing but a scope', { 'Query.notes': { scope: 'PUBLIC' } }, LIST, null],
  ['a resolver of its own', {}, '{ a: fixed }', 'max-age=9, public'],
  [
    'the shortest of several',
    { 'Query.notes': { maxAge: 60 }, 'Query.topics': { maxAge: 30, scope: 'PRIVATE' } },
    '{ notes { data { id } } topics { data { id } } }',
    'max-age=30, private',
  ],
  [
    'a root field that says nothing',
    { 'Query.notes': { maxAge: 60 } },
    '{ notes { data { id } } topics { data { id } } }',
    null,
  ],
  [
    'a field below shortens it',
    { 'Query.notes': { maxAge: 60 }, 'Note.text': { maxAge: 5, scope: 'PRIVATE' } },
    LIST,
    'max-age=5, private',
  ],
  ['a field below alone does not', { 'Note.text': { maxAge: 5 } }, LIST, null],
  ['an error', { 'Query.notes': { maxAge: 60 } }, '{ notes(sort: "nope") { data { id } } }', null],
  [
    'a mutation',
    { 'Mutation.createNote': { maxAge: 60 } },
    'mutation { createNote(data: {}) { data { id } } }',
    null,
  ],
])('%s', async (_name, hints, query, expected) => {
  const opened = await open(hints)
  // What comes again is compiled.
  for (let round = 0; round < 4; round++) {
    const headers = { 'content-type': 'application/json' }
    const answer = await opened.fetch('/graphql', {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    })
    expect(answer.headers.get('cache-control'), await answer.text()).toBe(expected)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
})

test('an answer to somebody is for nobody else, and caches tell them apart', async () => {
  const opened = await open({ 'Query.notes': { maxAge: 60, scope: 'PUBLIC' } })
  const path = `/graphql?query=${encodeURIComponent(LIST)}`
  const anonymous = await opened.fetch(path)
  expect(anonymous.headers.get('cache-control')).toBe('max-age=60, public')
  expect(anonymous.headers.get('vary')).toMatch(/\bAuthorization\b/)
  const known = await opened.fetch(path, { headers: { authorization: 'Bearer all-of-it' } })
  expect(known.headers.get('cache-control')).toBe('max-age=60, private')
})

test.each([
  [{ maxAge: -1 }, 'maxAge is a whole number of seconds, not -1'],
  [{ maxAge: 'long' }, 'maxAge is a whole number of seconds, not long'],
  [{ maxAge: 1, scope: 'public' }, 'scope is PUBLIC or PRIVATE, not public'],
])('%j is refused', async (given, message) => {
  const opened = await open({ 'Query.notes': given })
  const headers = { 'content-type': 'application/json' }
  const answer = await opened.fetch('/graphql', {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: LIST }),
  })
  expect(await answer.text()).toContain(message)
  expect(answer.headers.get('cache-control')).toBeNull()
})
