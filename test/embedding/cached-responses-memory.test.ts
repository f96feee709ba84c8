// What is kept of an answer must not keep the request: its body, its buffers and its connection.

import { IncomingMessage } from 'node:http'
import * as v8 from 'node:v8'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

const ENTRIES = 200

/** Garbage is collected before they are counted. */
const countRequests = (): number =>
  (v8 as unknown as { queryObjects(type: unknown, options: { format: 'count' }): number }).queryObjects(
    IncomingMessage,
    { format: 'count' },
  )

const config = (dialect: 'strapi-4' | 'strapi-5') => ({
  dialect,
  plugins: { graphql: true },
  contentTypes: { note: { attributes: { text: 'string' } } },
  auth: { roles: { public: { permissions: ['note.*'] } } },
  data: { note: Array.from({ length: ENTRIES }, (_, index) => ({ text: `note ${index}` })) },
})

test.each(['strapi-4', 'strapi-5'] as const)('%s: answers that are kept hold no request', async (dialect) => {
  await using cms = await createCms(config(dialect), { transport: 'node' })
  const { url } = await cms.listen(0)
  const notes = await cms.entries('note').findMany({ limit: -1 })
  const key = dialect === 'strapi-5' ? 'documentId' : 'id'
  const ids = notes.map((note) => String(note[key]))
  expect(ids).toHaveLength(ENTRIES)
  const ask = async (path: string, init?: RequestInit): Promise<void> => {
    const answer = await fetch(url + path, init)
    const text = await answer.text()
    expect(answer.status, text).toBe(200)
    expect(text).toContain('note ')
  }
  const graphql = async (query: string): Promise<void> =>
    ask('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
  const selection = dialect === 'strapi-5' ? 'text' : 'data { attributes { text } }'
  // Answers are kept once they are asked for again.
  for (let round = 0; round < 3; round++) {
    for (const id of ids) {
      await ask(`/api/notes/${id}`)
      await ask(`/api/notes?filters[${key}][$eq]=${id}`)
      await graphql(`{ note(${key}: "${id}") { ${selection} } }`)
      await graphql(`{ notes(filters: { ${key}: { eq: "${id}" } }) { ${selection} } }`)
    }
  }
  expect(countRequests()).toBeLessThan(50)
})
