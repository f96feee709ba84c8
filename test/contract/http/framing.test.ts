// Where one request ends and the next begins, byte by byte: what proxies and servers must not read differently.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, exchange, openSocket, parseAnswers, untilClosed } from './raw-socket.ts'
import { openServed, type Served, TRANSPORTS, until } from './subject.ts'

const GET = 'GET /items?a=1 HTTP/1.1\r\nHost: a\r\n\r\n'
const post = (headers: string, body: string): string =>
  `POST /echo HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`
const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status)

/** Each is answered 400, if at all, and what follows it on the connection is never looked at. */
const REFUSED: readonly (readonly [name: string, request: string])[] = [
  ['a repeated content-length', post('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello')],
  ['two different content-lengths', post('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello')],
  ['a content-length with a sign', post('Content-Length: +5\r\n', 'hello')],
  ['a negative content-length', post('Content-Length: -1\r\n', 'hello')],
  ['a hexadecimal content-length', post('Content-Length: 0x5\r\n', 'hello')],
  ['a list as content-length', post('Content-Length: 5, 5\r\n', 'hello')],
  ['an empty content-length', post('Content-Length:\r\n', 'hello')],
  ['a content-length of 20 digits', post('Content-Length: 10000000000000000005\r\n', 'hello')],
  [
    'content-length and transfer-encoding',
    post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
  ],
  ['transfer-encoding xchunked', post('Transfer-Encoding: xchunked\r\n', '5\r\nhello\r\n0\r\n\r\n')],
  [
    'transfer-encoding gzip, chunked',
    post('Transfer-Encoding: gzip, chunked\r\n', '5\r\nhello\r\n0\r\n\r\n'),
  ],
  ['transfer-encoding identity', post('Transfer-Encoding: identity\r\n', 'hello')],
  [
    'a repeated transfer-encoding',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '5\r\nhello\r\n0\r\n\r\n'),
  ],
  ['a repeated host', 'GET /items HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  [
    'a repeated authorization',
    'GET /items HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n',
  ],
  ['a method of 300 letters', `${'A'.repeat(300)} /items HTTP/1.1\r\nHost: a\r\n\r\n`],
  ['a method in lower case', 'get /items HTTP/1.1\r\nHost: a\r\n\r\n'],
]

/** Of these uWebSockets.js leaves some without an answer: its parser closes the connection, or its idle timeout does. */
const NEVER_REACHED: readonly (readonly [name: string, request: string])[] = [
  ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['no host', 'GET /items HTTP/1.1\r\n\r\n'],
  ['the target *', 'GET * HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an absolute target', 'GET http://a/items HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['HTTP/0.9', 'GET /items\r\n\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03aaaaaaaaaaaaaaaa'],
  ['a folded header', 'GET /items HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n'],
  ['a space before the colon', 'GET /items HTTP/1.1\r\nHost: a\r\nX-A : b\r\n\r\n'],
  ['tabs in the request line', 'GET\t/items\tHTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a head over 32 KB', `GET /items HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(40_000)}\r\n\r\n`],
  ['a chunk size that is no number', post('Transfer-Encoding: chunked\r\n', 'g\r\nabc\r\n0\r\n\r\n')],
]

describe.each(TRANSPORTS)('%s', (name, create) => {
  let served: Served
  beforeAll(async () => {
    served = await openServed(create)
  })
  afterAll(() => served.close())
  const reached = (): string[] => served.application.reached.splice(0)

  test('a request split at every byte', async () => {
    const whole =
      'POST /items?a=1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}'
    const all = await Promise.all(
      Array.from({ length: whole.length - 1 }, (_, cut) =>
        exchange(served.port, [whole.slice(0, cut + 1), whole.slice(cut + 1)]),
      ),
    )
    for (const [answer] of all) {
      expect(answer).toMatchObject({ status: 201, body: '{"kind":"value","value":{"a":1}}' })
    }
  })

  test('a request byte by byte', async () => {
    const [answer] = await exchange(served.port, [...GET])
    expect(answer).toMatchObject({ status: 200, body: '{"query":"a=1"}' })
  })

  test('a chunked body split at every byte', async () => {
    const whole = post('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n')
    const all = await Promise.all(
      Array.from({ length: whole.length - 1 }, (_, cut) =>
        exchange(served.port, [whole.slice(0, cut + 1), whole.slice(cut + 1)]),
      ),
    )
    for (const answers of all) {
      expect(answers).toMatchObject([{ status: 200, body: 'hello world', headers: { connection: 'close' } }])
    }
  })

  test('ten pipelined requests are answered in order', async () => {
    const requests = Array.from({ length: 10 }, (_, index) =>
      index % 3 === 1 ? post(`Content-Length: 1\r\n`, `${index}`) : GET.replace('a=1', `a=${index}`),
    )
    const answers = await exchange(served.port, [requests.join('')], 10)
    expect(answers.map(({ body }) => body)).toEqual(
      requests.map((_, index) => (index % 3 === 1 ? `${index}` : `{"query":"a=${index}"}`)),
    )
  })

  test('pipelined requests that are answered within microtasks', async () => {
    const micro = 'GET /micro HTTP/1.1\r\nHost: a\r\n\r\n'
    const answers = await exchange(served.port, [micro.repeat(9) + GET], 10)
    expect(statuses(answers)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(answers.at(-1)?.body).toBe('{"query":"a=1"}')
  })

  test('a pipelined request behind one that is still open is never answered in its place', async () => {
    const answers = await exchange(served.port, [`GET /macro HTTP/1.1\r\nHost: a\r\n\r\n${GET}`], 2)
    expect([[], ['"macro"', '{"query":"a=1"}']]).toContainEqual(answers.map(({ body }) => body))
  })

  test('one connection serves request after request', async () => {
    const raw = await openSocket(served.port)
    for (let count = 1; count <= 5; count += 1) {
      await raw.write(GET)
      expect(await raw.answers(count)).toHaveLength(count)
    }
    raw.socket.destroy()
  })

  test('clients are told how long a connection is kept', async () => {
    const [answer] = await exchange(served.port, [GET])
    expect(answer?.headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=5' })
  })

  test('a connection that the client wants closed is closed', async () => {
    const answers = await untilClosed(served.port, GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    expect(answers).toMatchObject([{ status: 200, headers: { connection: 'close' } }])
  })

  test('HEAD, then GET on the same connection', async () => {
    const raw = await openSocket(served.port)
    await raw.write('HEAD /items HTTP/1.1\r\nHost: a\r\n\r\n')
    const [head] = await raw.answers(1, { head: true })
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': '12' } })
    const length = raw.text().length
    await raw.write(GET)
    while (!raw.text().endsWith('{"query":"a=1"}'))
      await new Promise((resolve) => raw.socket.once('data', resolve))
    expect(raw.text().slice(length)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    raw.socket.destroy()
  })

  test('HEAD with a chunked body is answered once and closes', async () => {
    const request = `HEAD /items HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`
    const raw = await openSocket(served.port)
    await raw.write(request)
    await raw.closed
    expect(raw.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*\r\n$/)
    expect(raw.text().toLowerCase()).toContain('content-length: 12\r\n')
  })

  test('204 carries no length', async () => {
    const [answer] = await exchange(served.port, ['DELETE /items/1 HTTP/1.1\r\nHost: a\r\n\r\n'])
    expect(answer?.status).toBe(204)
    expect(Object.keys(answer?.headers ?? {})).not.toContain('content-length')
  })

  test('a GET with a body stays in step', async () => {
    const withBody = GET.replace('\r\n\r\n', '\r\nContent-Length: 5\r\n\r\nhello')
    expect(statuses(await exchange(served.port, [withBody + GET], 2))).toEqual([200, 200])
  })

  test('a POST whose body nobody reads stays in step', async () => {
    const ignored = post('Content-Length: 5\r\n', 'hello').replace('/echo', '/ignore')
    expect(statuses(await exchange(served.port, [ignored + GET], 2))).toEqual([200, 200])
  })

  test('TRACE is not implemented', async () => {
    const [answer] = await exchange(served.port, ['TRACE /items HTTP/1.1\r\nHost: a\r\n\r\n'])
    expect(answer).toMatchObject({ status: 501, headers: { allow: 'HEAD, GET, POST' } })
  })

  test.each(REFUSED)('%s: 400 or nothing, and closed', async (_name, request) => {
    reached()
    const answers = await untilClosed(served.port, request + GET)
    expect([[], [400]]).toContainEqual(statuses(answers))
    expect(reached()).toEqual([])
    for (const { headers, body } of answers) {
      expect(headers['connection']).toBe('close')
      expect(JSON.parse(body)).toMatchObject({ data: null, error: { status: 400, name: 'BadRequestError' } })
    }
  })

  test.each(
    REFUSED.filter(([title]) => /repeated (content|host|auth)|different|sign|list|digits/.test(title)),
  )('%s: always told', async (_name, request) => {
    expect(statuses(await untilClosed(served.port, request))).toEqual([400])
  })

  test.each(NEVER_REACHED)('%s: reaches no route', async (title, request) => {
    reached()
    const raw = await openSocket(served.port)
    await raw.write(Buffer.from(request, 'latin1'))
    if (name === 'node') await raw.closed
    else if (title.startsWith('a chunk size')) await until(() => served.application.reached.length === 1)
    else await new Promise((resolve) => setTimeout(resolve, 50))
    const answers = parseAnswers(raw.text(), false)
    expect(name === 'node' ? [[400]] : [[400], []]).toContainEqual(statuses(answers))
    for (const { body } of answers)
      expect(JSON.parse(body)).toMatchObject({ error: { name: 'BadRequestError' } })
    expect(reached()).toEqual(title.startsWith('a chunk size') ? ['/echo'] : [])
    raw.socket.destroy()
  })

  test.each([
    ['trailers', '0\r\nX-Trailer: a\r\n\r\n'],
    ['a request smuggled as trailers', '0\r\nGET /items?smuggled HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a request smuggled behind the body', `0\r\n\r\n${GET}`],
  ])('after a chunked body nothing is parsed: %s', async (_name, end) => {
    reached()
    const answers = await untilClosed(
      served.port,
      post('Transfer-Encoding: chunked\r\n', `3\r\nabc\r\n${end}`),
    )
    expect(answers.length).toBeLessThanOrEqual(1)
    for (const answer of answers) expect([200, 400]).toContain(answer.status)
    expect(reached()).toEqual(['/echo'])
  })

  test('garbage behind a request that is still open is never answered in its place', async () => {
    reached()
    const raw = await openSocket(served.port)
    await raw.write('GET /macro HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n')
    if (name === 'node') await raw.closed
    else await raw.answers(1)
    expect([[], ['"macro"']]).toContainEqual(parseAnswers(raw.text(), false).map(({ body }) => body))
    expect(reached()).toEqual(['/macro'])
    raw.socket.destroy()
  })

  test('too large by announcement: refused without being read', async () => {
    const request = post('Content-Length: 99999999\r\nExpect: 100-continue\r\n', '')
    const [answer] = await untilClosed(served.port, request)
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
  })

  test('a body within the limit is invited', async () => {
    const raw = await openSocket(served.port)
    await raw.write(post('Content-Length: 5\r\nExpect: 100-continue\r\n', ''))
    while (!raw.text().includes('100 Continue'))
      await new Promise((resolve) => raw.socket.once('data', resolve))
    await raw.write('hello')
    expect(await raw.answers(1)).toMatchObject([{ status: 200, body: 'hello' }])
    raw.socket.destroy()
  })

  test('too large by count: the client can send all of it and read the answer', async () => {
    const chunk = `2710\r\n${'x'.repeat(10_000)}\r\n`
    const answers = await untilClosed(
      served.port,
      post('Transfer-Encoding: chunked\r\n', `${chunk.repeat(50)}0\r\n\r\n`),
    )
    expect(statuses(answers)).toEqual([413])
  })

  test('an upgrade is not taken', async () => {
    const upgrade = GET.replace(
      '\r\n\r\n',
      '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n\r\n',
    )
    const [answer] = await exchange(served.port, [upgrade])
    expect(answer?.status).toBe(200)
  })
})
