// Chooses uWebSockets.js if its binary loads and passes the self-test, otherwise node:http.

import { createNodeServer } from './node/node-server.ts'
import type { HttpServer, ServerOptions } from './server.ts'
import { testUws } from './uws/uws-self-test.ts'
import { createUwsServer } from './uws/uws-server.ts'

interface OpenServerOptions extends ServerOptions {
  /** Skips the self-test; throws when it is `uws` and the binary does not load. */
  readonly transport?: HttpServer['name'] | undefined
  /** Called once with the reason, as text for the log. */
  readonly onFallback?: ((reason: string) => void) | undefined
}

/** Starts the self-test early, since it mostly waits. */
export function warmServer(): void {
  void testUws()
}

export async function openServer(options: OpenServerOptions): Promise<HttpServer> {
  if (options.transport === 'node') return createNodeServer(options)
  if (options.transport === 'uws') return createUwsServer(options)
  const reason = await testUws()
  if (reason === undefined) return createUwsServer(options)
  options.onFallback?.(reason)
  return createNodeServer(options)
}
