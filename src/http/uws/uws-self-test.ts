// Tests the loaded uWebSockets.js at every start over loopback: some builds on npm fail on a request line in
// two pieces.

import { connect } from 'node:net'
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import { createUwsServer } from './uws-server.ts'

/** Resolves with the reason why uWebSockets.js cannot be used. */
export function testUws(): Promise<string | undefined> {
  tested ??= runSelfTest()
  return tested
}

let tested: Promise<string | undefined> | undefined

interface Probe {
  readonly name: string
  readonly request: string
  /** The request is split here into two writes. */
  readonly cut: number
  readonly expected: RegExp
}

const LINE = 'GET /probe?filters[title][$eq]=x HTTP/1.1\r\n'
const GET = `${LINE}Host: probe\r\n\r\n`
const ANSWERED = /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nGET \/probe filters\[title\]\[\$eq\]=x$/

const PROBES: readonly Probe[] = [
  ...[2, 4, 5, 9, 20, LINE.length - 9, LINE.length - 2, LINE.length - 1].map((cut) => ({
    name: `a request line split at byte ${cut}`,
    request: GET,
    cut,
    expected: ANSWERED,
  })),
  {
    name: 'HEAD',
    request: 'HEAD /probe HTTP/1.1\r\nHost: probe\r\n\r\n',
    cut: 0,
    expected: /^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*content-length: 12\r\n(?:.+\r\n)*\r\n$/i,
  },
  {
    name: 'a repeated Content-Length',
    request: 'POST /probe HTTP/1.1\r\nHost: probe\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    cut: 0,
    expected: /^HTTP\/1\.1 400 Bad Request\r\n/,
  },
]

/** Milliseconds over loopback. */
const TIMEOUT_MS = 1_000

async function runSelfTest(): Promise<string | undefined> {
  let fault: unknown
  try {
    const server = createUwsServer({
      handler: ({ method, path, query }) => ({ status: 200, body: `${method} ${path} ${query}` }),
      limits: {
        body: 1024,
        upload: 1024,
        bodies: 4096,
        url: 1024,
        requestTimeout: TIMEOUT_MS,
        keepAlive: TIMEOUT_MS,
      },
      onFault: (error) => {
        fault = error
      },
    })
    const { port } = await server.listen(0, '127.0.0.1')
    const results = await Promise.all(PROBES.map((probe) => ask(port, probe)))
    await server.close(0)
    const failed = PROBES.find((_probe, index) => !results[index])
    if (fault !== undefined) return `uWebSockets.js failed its self-test: ${String(fault)}`
    return failed && `uWebSockets.js failed its self-test: ${failed.name}`
  } catch (error) {
    return `uWebSockets.js does not load: ${error instanceof Error ? error.message : String(error)}`
  }
}

function ask(port: number, { request, cut, expected }: Probe): Promise<boolean> {
  return new Promise((resolve) => {
    let response = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      socket.write(request.slice(0, cut))
      // Client and server share the event loop: the server needs a turn to read the first piece.
      setTimeout(() => setImmediate(() => socket.write(request.slice(cut))), cut === 0 ? 0 : 2)
    })
    const settle = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(expected.test(response))
    }
    const timer = setTimeout(settle, TIMEOUT_MS)
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      response += text
      if (expected.test(response)) settle()
    })
    socket.on('error', settle)
    socket.on('close', settle)
  })
}
