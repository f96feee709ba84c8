import { describe, expect, test } from 'vitest'
import { NO_BODY } from '../../../src/http/body/body-buffer.ts'
import type { CorsOptions } from '../../../src/http/cors.ts'
import { createGateway } from '../../../src/http/gateway.ts'
import type { Reply } from '../../../src/http/reply.ts'
import { listHeaderPairs } from '../../../src/http/reply-head.ts'
import { createRouter, routeHandler } from '../../../src/http/router.ts'

const CORS: CorsOptions = { origin: '*', methods: ['GET'], headers: ['x-a'], credentials: true, maxAge: 5 }

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The headers of the answer to a request. */
async function headersOf(
  cors: Partial<CorsOptions>,
  production: boolean,
  asked: Asked,
): Promise<Record<string, string>> {
  const handler = createGateway({
    answer: routeHandler(createRouter([{ method: 'GET', path: '/a', handler: () => ({ status: 200 }) }])),
    cors: { ...CORS, ...cors },
    production,
    explains: false,
    notReady: () => undefined,
    onFault: () => {},
  })
  const reply: Reply = await handler({
    method: asked.method ?? 'GET',
    path: asked.path ?? '/a',
    query: '',
    header: (name) => asked.headers?.[name],
    headerNames: () => Object.keys(asked.headers ?? {}),
    holdResponse() {},
    address: '',
    id: '1',
    body: NO_BODY,
    signal: new AbortController().signal,
  })
  return Object.fromEntries(listHeaderPairs(reply))
}

const FROM_A = { origin: 'https://a.test' }
const PREFLIGHT = { method: 'OPTIONS', headers: { ...FROM_A, 'access-control-request-method': 'POST' } }

describe('CORS', () => {
  for (const [name, cors, asked, expected] of [
    [
      '* is no reflection and never allows credentials',
      {},
      { headers: FROM_A },
      { 'access-control-allow-origin': '*' },
    ],
    [
      'a list, a member',
      { origin: ['https://a.test'] },
      { headers: FROM_A },
      {
        'access-control-allow-origin': 'https://a.test',
        'access-control-allow-credentials': 'true',
      },
    ],
    [
      'without credentials',
      { origin: ['https://a.test'], credentials: false },
      { headers: FROM_A },
      {
        'access-control-allow-origin': 'https://a.test',
      },
    ],
    [
      'versions',
      { headers: ['x-a', 'if-match'] },
      { headers: FROM_A },
      { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' },
    ],
    [
      'versions, from a list',
      { origin: ['https://a.test'], credentials: false, headers: ['If-Match'] },
      { headers: FROM_A },
      { 'access-control-allow-origin': 'https://a.test', 'access-control-expose-headers': 'ETag' },
    ],
    ['a list, a stranger', { origin: ['https://b.test'] }, { headers: FROM_A }, {}],
    ['a list, the null origin', { origin: ['https://b.test'] }, { headers: { origin: 'null' } }, {}],
    ['a list, no origin', { origin: ['https://a.test'] }, {}, {}],
    ['a list of prefixes is no list', { origin: ['https://a'] }, { headers: FROM_A }, {}],
    ['off', { origin: false }, { headers: FROM_A }, {}],
    ['off, preflight', { origin: false }, PREFLIGHT, {}],
    [
      'preflight',
      {},
      PREFLIGHT,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': 'x-a',
        'access-control-max-age': '5',
      },
    ],
  ] as const) {
    test(name, async () => {
      const headers = await headersOf(cors, false, asked)
      expect(
        Object.fromEntries(Object.entries(headers).filter(([key]) => key.startsWith('access-'))),
      ).toEqual(expected)
      expect(headers['vary']).toBe('Origin')
    })
  }
})

test('HTTPS is demanded in production only', async () => {
  expect((await headersOf({}, true, {}))['strict-transport-security']).toBe(
    'max-age=31536000; includeSubDomains',
  )
  expect((await headersOf({}, false, {}))['strict-transport-security']).toBe(undefined)
})
