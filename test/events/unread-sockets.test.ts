// A WebSocket whose client sends many queries and reads none of the answers: few are made, and the others come once it reads.

import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Cms, createCms } from '../../src/index.ts'
import { inFile } from '../archive/in-file.ts'
import { transportsHere } from '../support/transports.ts'

const QUERIES = 60
const ENTRIES = 20
/** Characters of one answer: more than the system keeps for a client, all together. */
const TITLE = 'x'.repeat(50_000)

let cms: Cms | undefined
afterEach(() => cms?.close())

describe.each(transportsHere)('over %s', (transport) => {
  test('queries wait for the client, and are answered when it reads', async () => {
    const asked = (): number => Number(Reflect.get(globalThis, 'askedArticles') ?? 0) - earlier
    const earlier = Number(Reflect.get(globalThis, 'askedArticles') ?? 0)
    const file = inFile(
      JSON.stringify({
        contentTypes: { article: { attributes: { title: 'text' } } },
        plugins: { graphql: true },
        policies: { counted: './counted.mjs' },
        graphql: { resolversConfig: { 'Query.articles': { policies: ['global::counted'] } } },
        auth: { roles: { public: { permissions: ['api::article.article.find'] } } },
        data: { article: Array.from({ length: ENTRIES }, () => ({ title: TITLE })) },
      }),
      'cms.json',
    )
    const policy =
      'export default () => { globalThis.askedArticles = (globalThis.askedArticles ?? 0) + 1; return true }'
    writeFileSync(join(dirname(file), 'counted.mjs'), policy)
    cms = await createCms(file, { transport, env: {} })
    const { url } = await cms.listen(0, '127.0.0.1')
    const socket = new WebSocket(`${url}/graphql`.replace('http', 'ws'), 'graphql-transport-ws')
    const messages: { readonly type: string; readonly id?: string }[] = []
    socket.on('message', (message) => messages.push(JSON.parse(String(message))))
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send('{"type":"connection_init"}')
    await vi.waitFor(() => expect(messages).toEqual([{ type: 'connection_ack' }]), { timeout: 10_000 })

    socket.pause()
    for (let at = 0; at < QUERIES; at += 1) {
      const query = `{ articles(pagination: { limit: ${ENTRIES} }, filters: { id: { ne: ${1000 + at} } }) { data { attributes { title } } } }`
      socket.send(JSON.stringify({ type: 'subscribe', id: String(at), payload: { query } }))
    }
    let before = -1
    while (asked() !== before) {
      before = asked()
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    // Some megabytes are with the system, and four operations run at a time.
    expect(asked()).toBeLessThan(QUERIES / 2)
    expect((await fetch(`${url}/_health`)).status).toBe(204)

    socket.resume()
    await vi.waitFor(() => expect(messages.filter(({ type }) => type === 'complete')).toHaveLength(QUERIES), {
      timeout: 60_000,
      interval: 50,
    })
    expect(messages.filter(({ type }) => type === 'next')).toHaveLength(QUERIES)
    expect(asked()).toBe(QUERIES)
    socket.terminate()
  })
})
