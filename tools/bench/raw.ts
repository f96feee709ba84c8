// A uWebSockets server that answers everything with the content of a file: what the socket itself costs.

import { readFileSync } from 'node:fs'
import { loadUws } from '../../src/http/uws/uws-binding.ts'

const uws = loadUws()
const body = readFileSync(process.argv[2] ?? '')

uws
  .App()
  .any('/*', (response, request) => {
    const answer = (): void => {
      response.writeHeader('content-type', 'application/json; charset=utf-8')
      response.end(body, false)
    }
    if (request.getCaseSensitiveMethod() !== 'POST') return answer()
    response.onAborted(() => {})
    response.onData((_chunk, isLast) => {
      if (isLast) answer()
    })
  })
  .listen('127.0.0.1', 0, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
    if (socket) console.log(uws.us_socket_local_port(socket))
  })
process.on('SIGTERM', () => process.exit(0))
