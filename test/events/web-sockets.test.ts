// GraphQL over WebSocket, asked over both transports by the client library of graphql-ws, and by hand where no client
// would go.

import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { type Client, createClient } from 'graphql-ws'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { type Cms, createCms } from '../../src/index.ts'
import { inFile } from '../archive/in-file.ts'
import { transportsHere } from '../support/transports.ts'

const waiting = { timeout: 30_000, interval: 10 }
const TOKEN = 'a'.repeat(40)
const config = {
  events: true,
  contentTypes: {
    article: {
      attributes: {
        title: 'string',
        tag: 'string',
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
      },
    },
    author: { attributes: { name: 'string' } },
    secret: { attributes: { text: 'string' } },
  },
  plugins: { graphql: { config: { depthLimit: 5 } } },
  server: { cors: { origin: ['https://app.example'] } },
  auth: {
    apiTokens: [{ name: 'reader', token: TOKEN, type: 'custom', permissions: ['api::secret.secret.find'] }],
    roles: { public: { permissions: ['api::article.article.*', 'api::author.author.*'] } },
  },
}

let cms: Cms | undefined
let clients: Client[] = []
afterEach(async () => {
  for (const client of clients) await client.dispose()
  clients = []
  await cms?.close()
})

interface Opened {
  readonly cms: Cms
  readonly url: string
  readonly file: string
}

interface Heard {
  readonly answers: string[]
  stop(): void
}

function listen(client: Client, query: string): Heard {
  const answers: string[] = []
  const stop = client.subscribe(
    { query },
    {
      next: (answer) => answers.push(JSON.stringify(answer)),
      error: (error) => answers.push(`error ${JSON.stringify(error)}`),
      complete: () => answers.push('complete'),
    },
  )
  return { answers, stop }
}

/** Every answer until the end of the operation. */
async function ask(client: Client, query: string): Promise<string> {
  const { answers } = listen(client, query)
  await vi.waitFor(() => expect(answers.at(-1)).toMatch(/^(?:complete|error)/), waiting)
  return answers.join()
}

describe.each(transportsHere)('over %s', (transport) => {
  async function open(): Promise<Opened> {
    const file = inFile(JSON.stringify(config), 'cms.json')
    cms = await createCms(file, { transport, env: {} })
    return { cms, file, url: `${(await cms.listen(0, '127.0.0.1')).url}/graphql`.replace('http', 'ws') }
  }

  function clientOf(url: string, connectionParams?: Record<string, unknown>): Client {
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      retryAttempts: 100,
      retryWait: () => new Promise((resolve) => setTimeout(resolve, 20)),
      ...(connectionParams && { connectionParams }),
    })
    clients.push(client)
    return client
  }

  interface Raw {
    readonly messages: string[]
    readonly codes: (number | string)[]
    readonly socket: WebSocket
    say(...messages: readonly (object | string)[]): void
  }

  /** A socket whose every word is the test's. */
  function raw(url: string, options: ClientOptions = {}, protocol = 'graphql-transport-ws'): Raw {
    const socket = new WebSocket(url, protocol, options)
    const messages: string[] = []
    const codes: (number | string)[] = []
    socket.on('message', (message) => messages.push(String(message)))
    socket.on('close', (code) => codes.push(code))
    socket.on('unexpected-response', (request, response) => {
      codes.push(`HTTP ${response.statusCode}`)
      request.destroy()
    })
    socket.on('error', () => {})
    return {
      messages,
      codes,
      socket,
      say(...all) {
        const texts = all.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
        const send = (): void => {
          for (const text of texts) socket.send(text)
        }
        if (socket.readyState === socket.OPEN) send()
        else socket.once('open', send)
      },
    }
  }

  test('a client is told of changes with what it selects, and goes on after a reload', async () => {
    const { cms: own, url, file } = await open()
    const client = clientOf(url)
    const { answers } = listen(
      client,
      'subscription { articleChanged(filters: { tag: { eq: "a" } }) { action id entry { data { attributes { title } } } } }',
    )
    const hear = async (): Promise<void> => {
      answers.length = 0
      await vi.waitFor(async () => {
        await own.entries('article').create({ title: 'seen', tag: 'a' })
        await own.entries('article').create({ title: 'unseen', tag: 'b' })
        expect(answers.join()).toContain('"title":"seen"')
      }, waiting)
      expect(answers.join()).not.toMatch(/unseen|error/)
    }
    await hear()
    // A reload closes all sockets: the client connects again by itself.
    writeFileSync(file, JSON.stringify({ ...config, server: { ...config.server, log: { level: 'warn' } } }))
    await own.reload()
    await hear()
  })

  test('a token comes with the first message, and decides what is answered', async () => {
    const { cms: own, url } = await open()
    const query = 'subscription { secretChanged { entry { data { attributes { text } } } } }'
    expect(await ask(clientOf(url), query)).toContain('Forbidden')
    for (const params of [
      { authorization: `Bearer ${TOKEN}` },
      { headers: { Authorization: `Bearer ${TOKEN}` } },
      { token: TOKEN },
    ]) {
      const { answers, stop } = listen(clientOf(url, params), query)
      await vi.waitFor(async () => {
        await own.entries('secret').create({ text: 'told' })
        expect(answers.join()).toContain('"text":"told"')
      }, waiting)
      stop()
    }
    const wrong = raw(url)
    wrong.say({ type: 'connection_init', payload: { token: 'nobody' } })
    await vi.waitFor(() => expect(wrong.codes).toEqual([4403]), waiting)
  })

  test('queries and mutations are answered, and limits hold', async () => {
    const { url } = await open()
    const client = clientOf(url)
    expect(await ask(client, 'mutation { createArticle(data: { title: "x" }) { data { id } } }')).toContain(
      '"id":"1"',
    )
    expect(await ask(client, '{ articles { data { attributes { title } } } }')).toContain('"title":"x"')
    expect(await ask(client, 'subscription { articleChangd { id } }')).toMatch(/^error .*articleChanged/)
    const deep = '{ articles { data { attributes { author { data { attributes { name } } } } } } }'
    expect(await ask(client, deep)).toMatch(/^error .*depth/)
    expect(await ask(client, '{ secrets { data { id } } }')).toContain('Forbidden')
  })

  test('a client that stops is told nothing more, and may use the id again', async () => {
    const { cms: own, url } = await open()
    const { say, messages } = raw(url)
    const subscribe = {
      type: 'subscribe',
      id: '1',
      payload: { query: 'subscription { articleChanged { id } }' },
    }
    say({ type: 'connection_init' })
    await vi.waitFor(() => expect(messages).toEqual(['{"type":"connection_ack"}']), waiting)
    say(subscribe)
    const count = (): number => messages.filter((message) => message.includes('"next"')).length
    await vi.waitFor(async () => {
      await own.entries('article').create({ title: 'x' })
      expect(count()).toBeGreaterThan(0)
    }, waiting)
    say({ type: 'complete', id: '1' }, { type: 'ping' })
    await vi.waitFor(() => expect(messages.at(-1)).toBe('{"type":"pong"}'), waiting)
    const before = count()
    await own.entries('article').create({ title: 'x' })
    say({ type: 'subscribe', id: '1', payload: { query: '{ articles { data { id } } }' } })
    await vi.waitFor(() => expect(messages.at(-1)).toBe('{"type":"complete","id":"1"}'), waiting)
    expect(count()).toBe(before + 1)
  })

  const init = { type: 'connection_init' }
  const listening = {
    type: 'subscribe',
    id: '1',
    payload: { query: 'subscription { articleChanged { id } }' },
  }
  test.each([
    ['what is no JSON', ['{'], 4400],
    ['what is no message', [{ type: 'start', id: '1' }], 4400],
    ['a message without an id', [init, { type: 'subscribe', payload: { query: '{ x }' } }], 4400],
    ['JSON that is nested deeply', [`{"type":${'['.repeat(1000)}${']'.repeat(1000)}}`], 4400],
    ['an operation before the first message', [listening], 4401],
    ['a second first message', [init, init], 4429],
    ['a message above the limit', [`{"type":"ping","payload":"${'x'.repeat(200_000)}"}`], 1009],
  ])('%s closes the socket', async (_name, messages, code) => {
    const { url } = await open()
    const { say, codes } = raw(url)
    say(...messages)
    // uWebSockets.js closes for a message that is too long without a close frame.
    const expected = code === 1009 ? [expect.toBeOneOf([1006, 1009])] : [code]
    await vi.waitFor(() => expect(codes).toEqual(expected), waiting)
  })

  test('an id that is in use, and bytes, close the socket', async () => {
    const { url } = await open()
    const twice = raw(url)
    twice.say(init)
    await vi.waitFor(() => expect(twice.messages).toHaveLength(1), waiting)
    twice.say(listening, listening)
    await vi.waitFor(() => expect(twice.codes).toEqual([4409]), waiting)
    const bytes = raw(url)
    bytes.socket.once('open', () => bytes.socket.send(Buffer.from('{}')))
    await vi.waitFor(() => expect(bytes.codes).toEqual([1003]), waiting)
  })

  test('a socket runs a hundred operations at most', async () => {
    const { url } = await open()
    const { say, messages } = raw(url)
    say(init)
    await vi.waitFor(() => expect(messages).toHaveLength(1), waiting)
    say(...Array.from({ length: 101 }, (_, index) => ({ ...listening, id: String(index) })))
    await vi.waitFor(() => expect(messages).toHaveLength(2), waiting)
    expect(messages[1]).toMatch(/^{"type":"error","id":"100".*at most 100 operations/)
  })

  test('pages of other origins, other protocols and other versions are refused', async () => {
    const { url } = await open()
    const { host } = new URL(url)
    for (const [options, protocol, expected] of [
      [{ origin: 'https://evil.example' }, 'graphql-transport-ws', 'HTTP 403'],
      [{ origin: 'null' }, 'graphql-transport-ws', 'HTTP 403'],
      [{}, 'graphql-ws', 'HTTP 400'],
      [{ protocolVersion: 8 }, 'graphql-transport-ws', 'HTTP 400'],
      [{ headers: { authorization: 'Bearer nobody' } }, 'graphql-transport-ws', 4403],
      [{ origin: 'https://app.example' }, 'graphql-transport-ws', 'ack'],
      [{ origin: `http://${host}` }, 'graphql-transport-ws', 'ack'],
    ] as const) {
      const { codes, messages, say, socket } = raw(url, options, protocol)
      say(init)
      await vi.waitFor(() => expect([...codes, ...messages.map(() => 'ack')]).toEqual([expected]), waiting)
      socket.terminate()
    }
    const elsewhere = raw(url.replace('/graphql', '/api/articles'))
    await vi.waitFor(() => expect(elsewhere.codes).toEqual(['HTTP 200']), waiting)
  })

  test('a request that offers another protocol is answered as if it did not', async () => {
    const { url } = await open()
    const { hostname, port } = new URL(url)
    const body = '{"query":"{ articles { data { id } } }"}'
    const head = `POST /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const second = 'GET /_health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    let answer = ''
    const socket = connect(Number(port), hostname)
    socket.on('data', (chunk) => {
      answer += String(chunk)
      if (answer.includes('"data":[]') && !answer.includes(' 204 ')) socket.write(second)
    })
    socket.write(head + body.slice(0, 10))
    setTimeout(() => socket.write(body.slice(10)), 20)
    await vi.waitFor(
      () => expect(answer).toMatch(/^HTTP\/1.1 200 OK[\s\S]*"data":\[\][\s\S]*HTTP\/1.1 204 /),
      waiting,
    )
    socket.destroy()
  })

  test('a server that ends closes all sockets', async () => {
    const { cms: own, url } = await open()
    const { say, messages, codes } = raw(url)
    say(init)
    await vi.waitFor(() => expect(messages).toHaveLength(1), waiting)
    say(listening)
    await own.close()
    await vi.waitFor(() => expect(codes).toEqual([1012]), waiting)
  })
})

test('a WebSocket needs a server that listens', async () => {
  cms = await createCms(config)
  const headers = {
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-protocol': 'graphql-transport-ws',
  }
  expect((await cms.fetch('/graphql', { headers })).status).toBe(400)
})
