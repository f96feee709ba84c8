// Chooses the transport: uWebSockets.js if its binary loads and passes the self-test, node:http otherwise.

import { createNodeServer } from './node/node-server.ts'
import type { HttpServer, ServerOptions } from './server.ts'
import { testUws } from './uws/uws-self-test.ts'
import { createUwsServer } from './uws/uws-server.ts'

interface OpenServerOptions extends ServerOptions {
  /** Uses this transport without the self-test; throws when it is `uws` and the binary does not load. */
  readonly transport?: HttpServer['name'] | undefined
  /** Called once with the reason why uWebSockets.js is not used, as text for the log. */
  readonly onFallback?: ((reason: string) => void) | undefined
}

/** Starts the self-test early, since it mostly waits; `openServer` awaits its result. */
export function warmServer(): void {
  void testUws()
}

/** Creates a server that does not listen yet. */
export async function openServer(options: OpenServerOptions): Promise<HttpServer> {
  if (options.transport === 'node') return createNodeServer(options)
  if (options.transport === 'uws') return createUwsServer(options)
  const reason = await testUws()
  if (reason === undefined) return createUwsServer(options)
  options.onFallback?.(reason)
  return createNodeServer(options)
}
