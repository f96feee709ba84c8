// `onAnswered`: each request is told once, with the status that the client saw, refused requests too.

import { describe, expect, test } from 'vitest'
import { injectFetch } from '../../../src/http/inject.ts'
import type { ServerOptions } from '../../../src/http/server.ts'
import { openSocket } from './raw-socket.ts'
import { type Application, createApplication, LIMITS, TRANSPORTS, until } from './subject.ts'

/** Milliseconds. */
const TIME_LIMIT = 300

type Told = readonly [method: string, path: string, status: number]

interface Opened {
  readonly application: Application
  readonly told: Told[]
  readonly times: number[]
  /** 0 without a socket. */
  readonly port: number
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

function optionsFor(application: Application, told: Told[], times: number[]): ServerOptions {
  return {
    handler: application.handler,
    limits: { ...LIMITS, requestTimeout: TIME_LIMIT },
    onFault: () => {},
    onResponse({ method, path }, reply, milliseconds) {
      told.push([method, path, reply?.status ?? 0])
      times.push(milliseconds)
    },
  }
}

const SUBJECTS: readonly (readonly [string, () => Promise<Opened>])[] = [
  ...TRANSPORTS.map(
    ([name, create]) =>
      [
        name,
        async () => {
          const application = createApplication()
          const told: Told[] = []
          const times: number[] = []
          const server = create(optionsFor(application, told, times))
          const { port } = await server.listen(0, '127.0.0.1')
          return {
            application,
            told,
            times,
            port,
            fetch: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
            close: () => server.close(0),
          }
        },
      ] as const,
  ),
  [
    'inject',
    async () => {
      const application = createApplication()
      const told: Told[] = []
      const times: number[] = []
      const ask = injectFetch(optionsFor(application, told, times))
      return { application, told, times, port: 0, fetch: ask, close: async () => {} }
    },
  ],
]

const CASES: readonly (readonly [method: string, path: string, status: number])[] = [
  ['GET', '/items', 200],
  ['HEAD', '/items', 200],
  ['POST', '/ignore', 200],
  ['DELETE', '/items/1', 204],
  ['GET', '/nowhere', 404],
  ['DELETE', '/items', 405],
  ['GET', '/throws', 500],
  ['GET', '/rejects', 500],
  ['GET', '/bad-status', 500],
  ['GET', '/splitting', 500],
  ['GET', '/micro', 200],
  ['GET', '/macro', 200],
  ['GET', '/hang', 503],
  ['GET', '/large', 200],
  ['GET', '/large-bytes', 200],
  ['GET', '/stream/300000', 200],
  ['GET', `/${'a'.repeat(3000)}`, 414],
]

describe.each(SUBJECTS)('%s', (name, open) => {
  test('every request is told once, with the status that was answered', async () => {
    const opened = await open()
    for (const [method, path, status] of CASES) {
      const response = await opened.fetch(path, { method })
      await response.arrayBuffer()
      expect(response.status).toBe(status)
      await until(() => opened.told.length > 0)
      expect(opened.told.splice(0)).toEqual([[method, path, status]])
      // Timers may be a millisecond early.
      const [took = -1] = opened.times.splice(0)
      expect(took).toBeGreaterThanOrEqual(path === '/hang' ? TIME_LIMIT - 2 : 0)
    }
    await opened.close()
  })

  test.skipIf(name === 'inject')('a refused head, and a client that leaves', async () => {
    const opened = await open()
    const refused = await openSocket(opened.port)
    await refused.write('POST /items HTTP/1.1\r\nhost: x\r\ncontent-length: a\r\n\r\n')
    const ours = (): readonly Told[] => opened.told.filter(([, path]) => path === '/items')
    const [answer] = await refused.answers(1)
    expect(answer?.status).toBe(400)
    // node:http refuses it before there is a request to tell about.
    if (name === 'uws') expect(ours()).toEqual([['POST', '/items', 400]])
    refused.socket.destroy()
    const leaving = await openSocket(opened.port)
    await leaving.write('GET /gated HTTP/1.1\r\nhost: x\r\n\r\n')
    await until(() => opened.application.reached.includes('/gated'))
    leaving.socket.destroy()
    await until(() => opened.told.some(([, path]) => path === '/gated'))
    expect(opened.told.filter(([, path]) => path === '/gated')).toEqual([['GET', '/gated', 0]])
    opened.application.gate.open()
    await opened.close()
  })
})
