import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Reply } from '../../../src/http/reply.ts'
import type { HttpRequest } from '../../../src/http/request.ts'
import { createResponseCache } from '../../../src/operations/response-cache.ts'

const request = {
  method: 'GET',
  path: '/graphql',
  query: '',
  // In the hope of a 304: such a response is cached at once.
  header: (name: string) => (name === 'if-none-match' ? '"another"' : undefined),
} as unknown as HttpRequest

const cacheQuery = { request, caller: {}, query: 'q' }

function cached(compresses: boolean, reply: Reply) {
  const cache = createResponseCache({ budget: 100_000_000, compresses })
  const ask = async () =>
    cache.through(cacheQuery, (dependencies) => {
      dependencies?.add(() => 1)
      return reply
    })
  return { ask }
}

test.each([
  [undefined, 'Accept-Encoding, Authorization'],
  ['Accept, Authorization', 'Accept, Authorization, Accept-Encoding'],
])('a response that varies by %s still does when it is cached', async (vary, expected) => {
  const headers = vary === undefined ? undefined : { vary }
  const { ask } = cached(true, {
    status: 200,
    body: 'x'.repeat(2000),
    contentType: 'application/json',
    headers,
  })
  expect(JSON.stringify((await ask()).prepared)).toContain(expected)
})

test('a large response is cached with the tag that a small one would have', async () => {
  const body = '→'.repeat(2_000_000)
  const { ask } = cached(false, { status: 200, body, contentType: 'application/json' })
  const sent = await ask()
  expect(Buffer.from(body).equals(sent.body as Buffer)).toBe(true)
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27)
  expect(JSON.stringify(sent.prepared)).toContain(hash)
  expect((await ask()).body).toBe(sent.body)
})

test('a response whose dependencies are not all known is not cached', async () => {
  const cache = createResponseCache({ budget: 1_000_000, compresses: false })
  let made = 0
  const ask = async () =>
    cache.through(cacheQuery, (dependencies) => {
      made += 1
      dependencies?.add(() => 1)
      dependencies?.addUnknown()
      return { status: 200, body: '{}', contentType: 'application/json' }
    })
  await ask()
  await ask()
  expect(made).toBe(2)
})
