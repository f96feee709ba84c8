// Requests with `Upgrade`, all of which node:http hands over once somebody takes WebSockets, also those with a body:
// Java's client offers h2c with each first request.

import type { IncomingMessage } from 'node:http'

const KEY = /^[+/0-9A-Za-z]{22}==$/

/** Whether the request asks for a WebSocket, and has no body. */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    KEY.test(headers['sec-websocket-key'] ?? '') &&
    (headers['content-length'] ?? '0') === '0' &&
    headers['transfer-encoding'] === undefined
  )
}

/** The head of the request as it came, but for the wish of another protocol, which a server may ignore. */
export function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
