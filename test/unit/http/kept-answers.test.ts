import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeptAnswers, ReadFrom } from '../../../src/http/kept-answers.ts'
import type { HttpRequest } from '../../../src/http/request.ts'

const request = {
  method: 'GET',
  path: '/graphql',
  query: '',
  header: () => undefined,
} as unknown as HttpRequest

test.each([
  [undefined, 'Accept-Encoding, Authorization'],
  ['Accept, Authorization', 'Accept, Authorization, Accept-Encoding'],
])('an answer that varies by %s still does when it is kept', async (vary, expected) => {
  const answers = createKeptAnswers({ budget: 1_000_000, compresses: true })
  const readFrom = new ReadFrom()
  readFrom.add(() => 1)
  const headers = vary === undefined ? undefined : { vary }
  const reply = { status: 200, body: 'x'.repeat(2000), contentType: 'application/json', headers }
  const sent = await answers.keep({ request, caller: {}, question: 'q' }, reply, readFrom)
  expect(JSON.stringify(sent.prepared)).toContain(expected)
})

test('a large answer is kept with the tag that a small one would have', async () => {
  const answers = createKeptAnswers({ budget: 100_000_000, compresses: false })
  const readFrom = new ReadFrom()
  readFrom.add(() => 1)
  const body = '→'.repeat(2_000_000)
  const asked = { request, caller: {}, question: 'q' }
  const sent = await answers.keep(asked, { status: 200, body, contentType: 'application/json' }, readFrom)
  expect(Buffer.from(body).equals(sent.body as Buffer)).toBe(true)
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27)
  expect(JSON.stringify(sent.prepared)).toContain(hash)
  expect((await answers.find(asked))?.body).toBe(sent.body)
})
