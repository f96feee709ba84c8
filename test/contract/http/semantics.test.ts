// What a client sees must not depend on the transport: one table over uWebSockets.js, node:http and in-process.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LARGE, ORIGIN, SUBJECTS, type Subject } from './subject.ts'

interface Row {
  readonly name: string
  readonly path: string
  readonly init?: RequestInit
  readonly status: number
  /** The body as JSON, or its text. */
  readonly json?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string | null>>
}

const json = (body: string): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json' },
})

const error = (status: number, name: string, message: string, details?: object): object => ({
  data: null,
  error: details === undefined ? { status, name, message } : { status, name, message, details },
})

const ROWS: readonly Row[] = [
  { name: 'a path', path: '/items', status: 200, json: { query: '' } },
  { name: 'a trailing slash', path: '/items/', status: 200, json: { query: '' } },
  {
    name: 'a query, still encoded',
    path: '/items?filters[a][$eq]=%20b&x',
    status: 200,
    json: { query: 'filters[a][$eq]=%20b&x' },
  },
  { name: 'a parameter', path: '/items/7', status: 200, json: { id: '7' } },
  { name: 'a parameter is decoded once', path: '/items/a%2fb%2541', status: 200, json: { id: 'a/b%41' } },
  {
    name: 'paths are case-sensitive',
    path: '/Items',
    status: 404,
    json: error(404, 'NotFoundError', 'Not Found', {}),
  },
  {
    name: 'an unknown path',
    path: '/nope/nope',
    status: 404,
    json: error(404, 'NotFoundError', 'Not Found', {}),
  },
  {
    name: 'a malformed escape',
    path: '/items/%E0%A4%A',
    status: 400,
    json: error(400, 'BadRequestError', 'failed to decode'),
  },
  {
    name: 'a method that the path has not',
    path: '/items/7',
    init: { method: 'PATCH' },
    status: 405,
    json: error(405, 'MethodNotAllowedError', 'Method Not Allowed', {}),
    headers: { allow: 'HEAD, GET, PUT, DELETE' },
  },
  {
    name: 'HEAD has the headers of GET and no body',
    path: '/unicode',
    init: { method: 'HEAD' },
    status: 200,
    text: '',
    headers: { 'content-length': '19', 'content-type': 'application/json; charset=utf-8' },
  },
  { name: 'HEAD of an unknown path', path: '/nope', init: { method: 'HEAD' }, status: 404, text: '' },
  { name: 'text is sent as UTF-8', path: '/unicode', status: 200, json: '日本語 ü 🎉' },
  {
    name: 'OPTIONS on a list',
    path: '/items',
    init: { method: 'OPTIONS' },
    status: 200,
    text: '',
    headers: { allow: 'HEAD, GET, POST' },
  },
  {
    name: 'OPTIONS on an entry',
    path: '/items/1',
    init: { method: 'OPTIONS' },
    status: 200,
    text: '',
    headers: { allow: 'HEAD, GET, PUT, DELETE' },
  },
  { name: 'OPTIONS on an unknown path', path: '/nope', init: { method: 'OPTIONS' }, status: 200, text: '' },
  {
    name: '204 has no body and no length',
    path: '/items/1',
    init: { method: 'DELETE' },
    status: 204,
    text: '',
    headers: { 'content-length': null, 'content-type': null },
  },
  { name: 'health', path: '/_health', status: 204, text: '' },
  {
    name: 'health, whatever the method',
    path: '/_health',
    init: { method: 'DELETE' },
    status: 204,
    text: '',
  },
  { name: 'health by HEAD', path: '/_health', init: { method: 'HEAD' }, status: 204, text: '' },
  {
    name: 'ready',
    path: '/_ready',
    status: 200,
    json: { status: 'ready' },
    headers: { 'cache-control': 'no-store' },
  },
  {
    name: 'security headers',
    path: '/items',
    status: 200,
    headers: {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'strict-transport-security': null,
      vary: 'Origin',
    },
  },
  {
    name: 'security headers on errors too',
    path: '/nope',
    status: 404,
    headers: { 'x-content-type-options': 'nosniff', vary: 'Origin' },
  },
  {
    name: 'CORS: an origin of the list is reflected',
    path: '/items',
    init: { headers: { origin: ORIGIN } },
    status: 200,
    headers: { 'access-control-allow-origin': ORIGIN, 'access-control-allow-credentials': 'true' },
  },
  {
    name: 'CORS: on errors too',
    path: '/nope',
    init: { headers: { origin: ORIGIN } },
    status: 404,
    headers: { 'access-control-allow-origin': ORIGIN },
  },
  {
    name: 'CORS: a strange origin is not reflected',
    path: '/items',
    init: { headers: { origin: 'https://evil.example' } },
    status: 200,
    headers: { 'access-control-allow-origin': null, 'access-control-allow-credentials': null },
  },
  {
    name: 'CORS: preflight',
    path: '/items',
    init: { method: 'OPTIONS', headers: { origin: ORIGIN, 'access-control-request-method': 'POST' } },
    status: 204,
    text: '',
    headers: {
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'content-type,authorization',
      'access-control-max-age': '600',
    },
  },
  {
    name: 'CORS: preflight of a strange origin allows nothing',
    path: '/items',
    init: {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    },
    status: 204,
    headers: { 'access-control-allow-origin': null, 'access-control-allow-methods': null },
  },
  {
    name: 'CORS: preflight of an unknown path',
    path: '/nope',
    init: { method: 'OPTIONS', headers: { origin: ORIGIN, 'access-control-request-method': 'GET' } },
    status: 204,
  },
  {
    name: 'a well-formed request id is kept',
    path: '/seen',
    init: { headers: { 'x-request-id': 'order-66_a.b' } },
    status: 200,
    json: { id: 'order-66_a.b', address: '127.0.0.1' },
    headers: { 'x-request-id': 'order-66_a.b' },
  },
  {
    name: 'headers are seen',
    path: '/seen',
    init: { headers: { 'X-Probe': 'Value', 'x-request-id': 'a' } },
    status: 200,
    json: { id: 'a', address: '127.0.0.1', probe: 'Value' },
  },
  {
    name: 'JSON',
    path: '/items',
    init: json('{"a":[1]}'),
    status: 201,
    json: { kind: 'value', value: { a: [1] } },
  },
  {
    name: 'no body',
    path: '/items',
    init: { method: 'POST' },
    status: 201,
    json: { kind: 'none' },
  },
  {
    name: 'malformed JSON',
    path: '/items',
    init: json('{"a":1,\n}'),
    status: 400,
    json: error(400, 'BadRequestError', 'malformed JSON at line 2, column 1'),
  },
  {
    name: 'a scalar',
    path: '/items',
    init: json('"a"'),
    status: 400,
    json: error(400, 'BadRequestError', 'invalid JSON, only supports object and array'),
  },
  {
    name: 'a compressed body',
    path: '/items',
    init: {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    },
    status: 415,
    json: error(415, 'UnsupportedMediaTypeError', 'compressed bodies are not accepted', {}),
  },
  {
    name: 'another charset',
    path: '/items',
    init: { method: 'POST', body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
    status: 415,
  },
  {
    name: 'a body over the limit',
    path: '/items',
    init: json(`{"a":"${'x'.repeat(100_000)}"}`),
    status: 413,
    json: error(413, 'PayloadTooLargeError', 'request entity too large'),
  },
  { name: 'a body that nobody reads', path: '/ignore', init: json('{}'), status: 200, json: 'ignored' },
  {
    name: 'a long target within the limit',
    path: `/items?${'x'.repeat(1_990)}`,
    status: 200,
  },
  {
    name: 'a target over the limit',
    path: `/items?${'x'.repeat(2_000)}`,
    status: 414,
    json: error(414, 'UriTooLongError', 'the request target is longer than 2000 bytes', {}),
  },
  { name: 'a handler that throws', path: '/throws', status: 500 },
  { name: 'a handler that rejects', path: '/rejects', status: 500 },
  { name: 'a handler that throws after the body', path: '/throws-late', init: json('{}'), status: 500 },
  {
    name: 'a reply header with a line break',
    path: '/splitting',
    status: 500,
    json: error(500, 'InternalServerError', 'Internal Server Error'),
    headers: { 'set-cookie': null, location: null },
  },
  { name: 'a reply with an impossible status', path: '/bad-status', status: 500 },
  { name: 'an answer within microtasks', path: '/micro', status: 200, json: 'micro' },
  { name: 'an answer after a timer', path: '/macro', status: 200, json: 'macro' },
  { name: 'a large answer', path: '/large', status: 200, text: LARGE },
  { name: 'a large answer from bytes', path: '/large-bytes', status: 200, text: LARGE },
]

describe.each(SUBJECTS)('%s', (_name, open) => {
  let subject: Subject
  beforeAll(async () => {
    subject = await open()
  })
  afterAll(() => subject.close())

  test.each(ROWS)('$name', async ({ path, init, status, json: value, text, headers = {} }) => {
    const response = await subject.fetch(path, init)
    const body = await response.text()
    expect({ status: response.status, body: response.status === status ? '' : body }).toEqual({
      status,
      body: '',
    })
    if (value !== undefined) expect(JSON.parse(body)).toEqual(value)
    if (text !== undefined) expect(body === text).toBe(true)
    for (const [name, expected] of Object.entries(headers)) {
      expect([name, response.headers.get(name)]).toEqual([name, expected])
    }
    if (status === 500) expect(body).not.toContain('secret')
  })

  test('faults are reported, client errors are not', async () => {
    subject.application.faults.length = 0
    for (const path of ['/nope', '/items/%', '/throws', '/rejects', '/splitting']) {
      await (await subject.fetch(path)).text()
    }
    await (await subject.fetch('/items', json('{'))).text()
    expect(subject.application.faults.map(String)).toEqual([
      'Error: a secret of the server',
      'Error: a secret of the server',
      'InvariantError: reply header location holds a character HTTP does not allow',
    ])
  })

  test('a request id that is malformed or missing is replaced by one of ours', async () => {
    const ids = new Set<string | null>()
    for (const sent of [undefined, 'a b', 'x'.repeat(129), 'ü', '<script>']) {
      const response = await subject.fetch(
        '/seen',
        sent === undefined ? {} : { headers: { 'x-request-id': sent } },
      )
      const { id } = (await response.json()) as { id: string }
      expect(response.headers.get('x-request-id')).toBe(id)
      expect(id).toMatch(/^[a-z0-9-]{10,}$/)
      ids.add(id)
    }
    expect(ids.size).toBe(5)
  })

  test('not ready', async () => {
    subject.application.notReady = { part: 'server', reason: 'migrating' }
    const response = await subject.fetch('/_ready')
    subject.application.notReady = undefined
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toEqual({ status: 'not ready', part: 'server', reason: 'migrating' })
  })

  test('a body streamed without a length', async () => {
    const chunks = ['{"a":', '"', 'b'.repeat(20_000), '"}']
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift()
        if (chunk === undefined) controller.close()
        else controller.enqueue(Buffer.from(chunk))
      },
    })
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', body: stream, duplex: 'half', headers } as RequestInit
    const response = await subject.fetch('/items', init)
    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({ kind: 'value', value: { a: 'b'.repeat(20_000) } })
  })

  test('a stream over the limit', async () => {
    let sent = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1
        if (sent > 20) controller.close()
        else controller.enqueue(new Uint8Array(10_000))
      },
    })
    const response = await subject.fetch('/echo', {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
  })

  test('two slashes at the start', async () => {
    const response = await subject.fetch('//items')
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual(error(400, 'BadRequestError', 'Malicious Path'))
  })
})
