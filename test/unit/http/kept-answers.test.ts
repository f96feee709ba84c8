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
