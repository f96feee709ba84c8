// `server.log.requests: 0.1`: a tenth of the requests, and every one that the server failed at.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

test('a part of the requests, and every failure', async () => {
  const lines: { path: string; status: number }[] = []
  const config = {
    server: { log: { requests: 0.1 } },
    contentTypes: { article: { attributes: { title: 'string' } } },
    auth: { roles: { public: { permissions: ['article.create'] } } },
  }
  await using cms = await createCms(config, {
    env: {},
    log: (line) => {
      const read = JSON.parse(line) as { message: string; path: string; status: number }
      if (read.message === 'request') lines.push(read)
    },
    lifecycles: {
      'api::article.article': {
        beforeCreate: () => {
          throw new Error('broken by the test')
        },
      },
    },
  })
  for (let at = 0; at < 40; at++) await (await cms.fetch('/api/nothing')).arrayBuffer()
  expect(lines).toHaveLength(4)
  const headers = { 'content-type': 'application/json' }
  const write = { method: 'POST', headers, body: '{"data":{"title":"A"}}' }
  for (let at = 0; at < 3; at++) expect((await cms.fetch('/api/articles', write)).status).toBe(500)
  expect(lines.filter(({ status }) => status === 500)).toHaveLength(3)
})
