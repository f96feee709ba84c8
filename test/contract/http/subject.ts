// The application that the contract tests ask, and the three ways to ask it.

import { parseBody } from '../../../src/http/body/parse-body.ts'
import { createGateway, type NotReady } from '../../../src/http/gateway.ts'
import { injectFetch } from '../../../src/http/inject.ts'
import { createNodeServer } from '../../../src/http/node/node-server.ts'
import { type BodyStream, jsonReply, type Reply } from '../../../src/http/reply.ts'
import type { Route } from '../../../src/http/route.ts'
import { createRouter, routeHandler } from '../../../src/http/router.ts'
import type { HttpServer, ServedHandler, ServerLimits, ServerOptions } from '../../../src/http/server.ts'
import { createUwsServer } from '../../../src/http/uws/uws-server.ts'
import { type TransportName, transportsHere } from '../../support/transports.ts'

export const LIMITS: ServerLimits = {
  body: 100_000,
  upload: 30_000_000,
  bodies: 1_000_000,
  url: 2_000,
  requestTimeout: 20_000,
  keepAlive: 5_000,
}

export const LARGE = 'abcdefgh'.repeat(5 * 131_072)
/** More than the system keeps of an answer that nobody reads. */
export const HUGE = 'abcdefgh'.repeat(24 * 131_072)

export const ORIGIN = 'https://app.example'

/** A promise that the test opens when it likes. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

function createGate(): Gate {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Resolves once the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}

export interface Application {
  readonly handler: ServedHandler
  /** What `onFault` was told. */
  readonly faults: unknown[]
  /** Paths of the requests that reached a route, in order. */
  readonly reached: string[]
  /** Holds every request to `/gated`. */
  readonly gate: Gate
  /** Of `/endless`: how many bytes were made, and how many answers are over. */
  readonly endless: { made: number; over: number }
  /** How many requests the transport has told that their answer is out. */
  released: number
  notReady: NotReady | undefined
}

export function createApplication(): Application {
  const faults: unknown[] = []
  const reached: string[] = []
  const gate = createGate()
  const endless = { made: 0, over: 0 }
  const routes = [...routesOf(gate), endlessRoute(endless)].map(
    (route): Route => ({
      ...route,
      handler(request, parameters) {
        reached.push(request.path)
        return route.handler(request, parameters)
      },
    }),
  )
  const handler = createGateway({
    answer: routeHandler(createRouter(routes)),
    cors: {
      origin: [ORIGIN],
      methods: ['GET', 'POST'],
      headers: ['content-type', 'authorization'],
      credentials: true,
      maxAge: 600,
    },
    production: false,
    explains: false,
    notReady: () => application.notReady,
    onFault: (fault) => faults.push(fault),
  })
  const application: Application = {
    faults,
    reached,
    gate,
    endless,
    released: 0,
    notReady: undefined,
    handler(request) {
      request.lease = {
        release() {
          application.released += 1
        },
      }
      return handler(request)
    },
  }
  return application
}

function routesOf(gate: Gate): Route[] {
  return [
    { method: 'GET', path: '/items', handler: ({ query }) => jsonReply(200, JSON.stringify({ query })) },
    {
      method: 'POST',
      path: '/items',
      handler: async (request) => jsonReply(201, JSON.stringify(await parseBody(request))),
    },
    {
      method: 'GET',
      path: '/items/:id',
      handler: (_request, [id]) => jsonReply(200, JSON.stringify({ id })),
    },
    {
      method: 'PUT',
      path: '/items/:id',
      handler: (_request, [id]) => jsonReply(200, JSON.stringify({ id })),
    },
    { method: 'DELETE', path: '/items/:id', handler: () => ({ status: 204 }) },
    {
      method: 'POST',
      path: '/echo',
      handler: async ({ body }) => ({
        status: 200,
        contentType: 'application/octet-stream',
        body: await body.bytes(),
      }),
    },
    {
      method: 'POST',
      path: '/arrived',
      async handler({ body }) {
        const arrived = body.arrived()?.length ?? null
        return jsonReply(200, JSON.stringify({ arrived, whole: (await body.bytes()).length }))
      },
    },
    {
      method: 'POST',
      path: '/pieces',
      async handler({ body }) {
        let length = 0
        let largest = 0
        for await (const piece of body.chunks()) {
          length += piece.length
          largest = Math.max(largest, piece.length)
        }
        return jsonReply(200, JSON.stringify({ length, inPieces: largest < length }))
      },
    },
    {
      method: 'POST',
      path: '/first-piece',
      async handler({ body }) {
        for await (const piece of body.chunks()) return jsonReply(200, JSON.stringify(piece.length > 0))
        return jsonReply(200, 'null')
      },
    },
    {
      method: 'POST',
      path: '/gated-pieces',
      async handler({ body }) {
        await gate.opened
        let length = 0
        for await (const piece of body.chunks()) length += piece.length
        return jsonReply(200, JSON.stringify({ length }))
      },
    },
    { method: 'GET', path: '/stream/:length', handler: (_request, [length]) => streamOf(Number(length)) },
    {
      method: 'GET',
      path: '/stream-short',
      handler: () => ({ status: 200, body: pieces(1_000_000, 400_000) }),
    },
    {
      method: 'GET',
      path: '/unknown/:length',
      handler: (_request, [length]) => ({
        status: 200,
        body: { ...pieces(0, Number(length)), length: undefined },
      }),
    },
    {
      method: 'GET',
      path: '/unknown-breaks',
      handler: () => ({ status: 200, body: { length: undefined, chunks: breaking } }),
    },
    { method: 'POST', path: '/ignore', handler: () => jsonReply(200, '"ignored"') },
    {
      method: 'POST',
      path: '/careless',
      handler: ({ body }) => {
        void body.bytes()
        return jsonReply(200, '"careless"')
      },
    },
    { method: 'GET', path: '/micro', handler: () => afterMicrotasks(10) },
    { method: 'GET', path: '/macro', handler: () => afterTimer() },
    {
      method: 'GET',
      path: '/gated',
      handler: async () => {
        await gate.opened
        return jsonReply(200, '"through"')
      },
    },
    { method: 'GET', path: '/hang', handler: () => new Promise(() => {}) },
    {
      method: 'GET',
      path: '/large',
      handler: () => ({ status: 200, contentType: 'text/plain', body: LARGE }),
    },
    { method: 'GET', path: '/large-bytes', handler: () => ({ status: 200, body: Buffer.from(LARGE) }) },
    { method: 'GET', path: '/huge', handler: () => ({ status: 200, contentType: 'text/plain', body: HUGE }) },
    { method: 'GET', path: '/huge-bytes', handler: () => ({ status: 200, body: Buffer.from(HUGE) }) },
    { method: 'GET', path: '/unicode', handler: () => jsonReply(200, '"日本語 ü 🎉"') },
    {
      method: 'GET',
      path: '/throws',
      handler: () => {
        throw new Error('a secret of the server')
      },
    },
    { method: 'GET', path: '/rejects', handler: () => Promise.reject(new Error('a secret of the server')) },
    {
      method: 'POST',
      path: '/throws-late',
      handler: async ({ body }) => {
        await body.bytes()
        throw new Error('a secret of the server')
      },
    },
    {
      method: 'GET',
      path: '/splitting',
      handler: () => ({ status: 200, headers: { location: '/a\r\nset-cookie: stolen=1' }, body: '' }),
    },
    { method: 'GET', path: '/bad-status', handler: () => ({ status: 99, body: '' }) },
    {
      method: 'GET',
      path: '/seen',
      handler: (request) =>
        jsonReply(
          200,
          JSON.stringify({ id: request.id, address: request.address, probe: request.header('x-probe') }),
        ),
    },
  ]
}

/** Numbered bytes, so that a piece out of its place is seen. */
export function numbered(from: number, to: number): Uint8Array {
  return Uint8Array.from({ length: to - from }, (_, index) => (from + index) % 251)
}

function streamOf(length: number): Reply {
  return { status: 200, contentType: 'application/octet-stream', body: pieces(length, length) }
}

function pieces(announced: number, sent: number): BodyStream {
  return {
    length: announced,
    async *chunks() {
      for (let at = 0; at < sent; at += 65_536) yield numbered(at, Math.min(at + 65_536, sent))
    },
  }
}

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield numbered(0, 100_000)
  throw new Error('a disk that fails')
}

function endlessRoute(endless: Application['endless']): Route {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        endless.made += 65_536
        yield numbered(0, 65_536)
      }
    } finally {
      endless.over += 1
    }
  }
  return {
    method: 'GET',
    path: '/endless',
    handler: () => ({ status: 200, body: { length: undefined, chunks } }),
  }
}

async function afterMicrotasks(count: number): Promise<ReturnType<typeof jsonReply>> {
  for (let turn = 0; turn < count; turn += 1) await undefined
  return jsonReply(200, '"micro"')
}

async function afterTimer(): Promise<ReturnType<typeof jsonReply>> {
  await new Promise((resolve) => setTimeout(resolve, 5))
  return jsonReply(200, '"macro"')
}

export type Transport = (options: ServerOptions) => HttpServer

const CREATED_BY: Readonly<Record<TransportName, Transport>> = {
  uws: createUwsServer,
  node: createNodeServer,
}

export const TRANSPORTS: readonly (readonly [name: string, create: Transport])[] = transportsHere.map(
  (name) => [name, CREATED_BY[name]],
)

/** One way to ask an application, as `fetch`. */
export interface Subject {
  readonly application: Application
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

export const SUBJECTS: readonly (readonly [
  name: string,
  open: (limits?: Partial<ServerLimits>) => Promise<Subject>,
])[] = [
  ...TRANSPORTS.map(([name, create]) => [name, (limits = {}) => openServed(create, limits)] as const),
  ['inject', (limits = {}) => openInjected(limits)],
]

export interface Served extends Subject {
  readonly port: number
  readonly server: HttpServer
}

export async function openServed(create: Transport, limits: Partial<ServerLimits> = {}): Promise<Served> {
  const application = createApplication()
  const server = create(optionsOf(application, limits))
  const { port } = await server.listen(0, '127.0.0.1')
  return {
    application,
    port,
    server,
    fetch: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    close: () => server.close(0),
  }
}

export async function openInjected(limits: Partial<ServerLimits>): Promise<Subject> {
  const application = createApplication()
  return { application, fetch: injectFetch(optionsOf(application, limits)), close: async () => {} }
}

function optionsOf({ handler, faults }: Application, limits: Partial<ServerLimits>): ServerOptions {
  return { handler, limits: { ...LIMITS, ...limits }, onFault: (fault) => faults.push(fault) }
}
