// Subscription fields that users' code adds, asked by the client libraries over both transports.

import { createClient as createStreamClient } from 'graphql-sse'
import { createClient } from 'graphql-ws'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Cms, createCms } from '../../src/index.ts'
import { transportsHere } from '../support/transports.ts'

const waiting = { timeout: 30_000, interval: 10 }
const config = {
  contentTypes: { article: { attributes: { title: 'string' } } },
  plugins: { graphql: true },
}

let cms: Cms | undefined
afterEach(() => cms?.close())

describe.each(transportsHere)('over %s', (transport) => {
  async function open() {
    let ended = 0
    async function* count() {
      try {
        yield { count: 1 }
        yield { count: 2 }
      } finally {
        ended += 1
      }
    }
    /** Yields once, and then waits for ever. */
    function wait() {
      let told = false
      return {
        async next() {
          if (told) return new Promise<never>(() => {})
          told = true
          return { done: false, value: { waits: 'now' } }
        },
        async return() {
          ended += 1
          return { done: true, value: undefined }
        },
        [Symbol.asyncIterator]() {
          return this
        },
      }
    }
    const extension = {
      typeDefs:
        'extend type Subscription { count: Int twice: Int waits: String closed: Int known: Int wrong: Int }',
      resolvers: {
        Subscription: {
          count: { subscribe: count },
          twice: { subscribe: count, resolve: (event: { count: number }) => event.count * 2 },
          waits: { subscribe: wait },
          closed: { subscribe: count },
          known: { subscribe: count },
          wrong: { subscribe: () => 1 },
        },
      },
      resolversConfig: {
        'Subscription.count': { auth: false },
        'Subscription.twice': { auth: false },
        'Subscription.waits': { auth: false },
        'Subscription.wrong': { auth: false },
        'Subscription.closed': { auth: false, policies: [() => false] },
      },
    }
    // With and without generated subscriptions.
    cms = await createCms(
      { ...config, events: transport === transportsHere[0] },
      {
        transport,
        env: {},
        register: (user) => user.graphql.extension.use(extension),
      },
    )
    const url = `${(await cms.listen(0, '127.0.0.1')).url}/graphql`
    return { url, own: cms, ended: () => ended }
  }

  function clientsOf(url: string) {
    const sockets = createClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    })
    return [createStreamClient({ url, retryAttempts: 0 }), sockets] as const
  }

  test('each event is an answer, and the end is the end', async () => {
    const { url, ended } = await open()
    for (const client of clientsOf(url)) {
      const ask = async (field: string): Promise<string> => {
        const answers: string[] = []
        const query = `subscription { ${field} }`
        for await (const answer of client.iterate({ query })) answers.push(JSON.stringify(answer))
        return answers.join()
      }
      expect(await ask('count')).toBe('{"data":{"count":1}},{"data":{"count":2}}')
      expect(await ask('twice')).toBe('{"data":{"twice":2}},{"data":{"twice":4}}')
      const before = ended()
      expect(await ask('closed')).toContain('Policy Failed')
      expect(await ask('known')).toContain('Forbidden')
      expect(await ask('wrong')).toContain('"errors"')
      expect(ended()).toBe(before)
      await client.dispose()
    }
    expect(ended()).toBe(4)
  })

  test('a client that stops, and a server that ends, end what waits', async () => {
    const { url, own, ended } = await open()
    for (const client of clientsOf(url)) {
      const answers: string[] = []
      const listen = (): (() => void) =>
        client.subscribe(
          { query: 'subscription { waits }' },
          { next: (answer) => answers.push(JSON.stringify(answer)), error: () => {}, complete: () => {} },
        )
      const before = ended()
      const stop = listen()
      await vi.waitFor(() => expect(answers).toEqual(['{"data":{"waits":"now"}}']), waiting)
      stop()
      // Sooner than the next heartbeat would tell, which comes after 15 seconds.
      await vi.waitFor(() => expect(ended()).toBe(before + 1), { ...waiting, timeout: 10_000 })
      listen()
      await vi.waitFor(() => expect(answers).toHaveLength(2), waiting)
    }
    await own.close()
    await vi.waitFor(() => expect(ended()).toBe(4), waiting)
  })
})
