// Traces as a program with an SDK of OpenTelemetry gets them: which spans there are, of which trace, and what they say.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { traceWork } from '../../src/lib/traced.ts'
import { inFile } from '../archive/in-file.ts'
import { transportsHere } from '../support/transports.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const traceparent = `00-${TRACE}-${PARENT}-01`
const SECRET = 'a-value-that-no-span-may-hold'

const config = {
  contentTypes: { article: { attributes: { title: 'string' } } },
  auth: {
    users: [{ username: 'ann', email: 'ann@example.com', password: SECRET, role: 'authenticated' }],
    roles: { public: { permissions: ['article.find', 'article.findOne', 'article.create'] } },
  },
}

const exporter = new InMemorySpanExporter()
const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans()
const spanOf = (name: string | RegExp): ReadableSpan =>
  spans().find((span) => (typeof name === 'string' ? span.name === name : name.test(span.name))) ??
  expect.fail(`no span ${String(name)} among ${spans().map((span) => span.name)}`)

let cms: Cms | undefined
beforeEach(() => exporter.reset())
afterEach(async () => {
  await cms?.close()
  cms = undefined
})

test('without an SDK nothing is traced', async () => {
  cms = await createCms(config)
  expect((await cms.fetch('/api/articles', { headers: { traceparent } })).status).toBe(200)
  expect(traceWork('plan', () => trace.getActiveSpan())).toBeUndefined()
})

describe('with an SDK', () => {
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    )
  })

  test.each(['memory', ...transportsHere] as const)('a read over %s', async (transport) => {
    cms = await createCms(config, transport === 'memory' ? {} : { transport })
    const served = transport === 'memory' ? undefined : await cms.listen(0, '127.0.0.1')
    const ask =
      served === undefined ? cms.fetch : (path: string, init: RequestInit) => fetch(served.url + path, init)
    const query = `filters[title][$eq]=${SECRET}`
    expect((await ask(`/api/articles?${query}`, { headers: { traceparent } })).status).toBe(200)
    await vi.waitFor(() => spanOf('GET /api/articles'))
    const request = spanOf('GET /api/articles')
    expect(request.parentSpanContext?.spanId).toBe(PARENT)
    expect(request.attributes).toEqual({
      'http.request.method': 'GET',
      'url.path': '/api/articles',
      'http.route': '/api/articles',
      'http.response.status_code': 200,
    })
    const within = spans().filter((span) => span.parentSpanContext?.spanId === request.spanContext().spanId)
    // Beside the list, its total and the size of the table may be asked for.
    expect(within.filter(({ name }) => name === 'plan')).toHaveLength(1)
    const asked = within.filter(({ attributes }) =>
      /from `articles` as /.test(String(attributes['db.query.text'])),
    )
    expect(new Set(asked.map(({ name }) => name))).toEqual(new Set(['SELECT']))
    expect(spans().map((span) => span.spanContext().traceId)).toEqual(spans().map(() => TRACE))
    expect(asked[0]?.attributes).toMatchObject({
      'db.system.name': 'sqlite',
      'db.operation.name': 'SELECT',
      'db.query.text': expect.stringMatching(/^select .* from `articles` as `t1` where `t1`.`title` = \+\?/),
    })
    expect(
      JSON.stringify(spans().map(({ name, attributes, events }) => [name, attributes, events])),
    ).not.toContain(SECRET)
  })

  test('requests beside each other are traces of their own; probes are none', async () => {
    cms = await createCms(config)
    const { fetch: ask } = cms
    await Promise.all(['/api/articles/1', '/api/articles', '/_health', '/nowhere'].map((path) => ask(path)))
    const roots = spans().filter((span) => span.parentSpanContext === undefined)
    expect(roots.map(({ name }) => name).toSorted()).toEqual([
      'GET',
      'GET /api/articles',
      'GET /api/articles/:id',
    ])
    expect(new Set(roots.map((span) => span.spanContext().traceId)).size).toBe(3)
    for (const span of spans().filter(({ name }) => name === 'SELECT'))
      expect(roots.map((root) => root.spanContext().spanId)).toContain(span.parentSpanContext?.spanId)
  })

  test('a login has the span of its password, and a fault is told by its name', async () => {
    cms = await createCms(config)
    const login = (password: string) =>
      cms?.fetch('/api/auth/local', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ identifier: 'ann', password }),
      })
    expect((await login(SECRET))?.status).toBe(200)
    const request = spanOf('POST /api/auth/local')
    expect(spanOf('password').parentSpanContext?.spanId).toBe(request.spanContext().spanId)
    expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain(SECRET)
  })

  test('users’ code runs within a span, which it finds, and a fault of it is told by its name', async () => {
    const file = inFile(
      'contentTypes: { note: { attributes: { text: string } } }\nroutes: [{ path: /mine, handler: ./mine.mjs, auth: false }]\n',
    )
    const { writeFileSync } = await import('node:fs')
    writeFileSync(
      file.replace('cms.yaml', 'mine.mjs'),
      `const { trace } = globalThis[Symbol.for('the api of the test')]
export default () => { if (trace.getActiveSpan() === undefined) return 'none'; throw new RangeError('what happened') }\n`,
    )
    Object.assign(globalThis, { [Symbol.for('the api of the test')]: { trace } })
    cms = await createCms(file, { env: {} })
    expect((await cms.fetch('/api/mine')).status).toBe(500)
    const request = spanOf('GET /api/mine')
    expect(request.status.code).toBe(2)
    const own = spanOf(/mine\.mjs/)
    expect(own.parentSpanContext?.spanId).toBe(request.spanContext().spanId)
    expect([own.attributes, own.events, own.status]).toEqual([
      { 'error.type': 'RangeError' },
      [],
      { code: 2 },
    ])
  })

  test('a webhook tells its receiver of its span', async () => {
    const sent: unknown[] = []
    const receiver = createServer((request, response) => {
      sent.push(request.headers['traceparent'])
      request.resume().on('end', () => response.end())
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    cms = await createCms({ ...config, webhooks: [{ url }] })
    await cms.entries('article').create({ title: 'a' })
    await vi.waitFor(() => spanOf('POST 127.0.0.1'), { timeout: 60_000 })
    const { traceId, spanId } = spanOf('POST 127.0.0.1').spanContext()
    expect(sent).toEqual([`00-${traceId}-${spanId}-01`])
    receiver.close()
  })
})
