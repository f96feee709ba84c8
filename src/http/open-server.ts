// Picks the transport: uWebSockets.js where its binary loads and passes the self-test, node:http elsewhere.

import { createNodeServer } from './node-server.ts'
import type { HttpServer, ServerOptions } from './server.ts'
import { testUws } from './uws-self-test.ts'
import { createUwsServer } from './uws-server.ts'

export interface OpenServerOptions extends ServerOptions {
  /** Takes this transport without looking; a `uws` that does not load then throws. */
  readonly transport?: HttpServer['name'] | undefined
  /** Told once why uWebSockets.js is not used, in words for the log. */
  readonly onFallback?: ((reason: string) => void) | undefined
}

/** Begins the self-test, which mostly waits, while other things are done; `openServer` asks for its outcome. */
export function warmServer(): void {
  void testUws()
}

/** A server that does not listen yet. */
export async function openServer(options: OpenServerOptions): Promise<HttpServer> {
  if (options.transport === 'node') return createNodeServer(options)
  if (options.transport === 'uws') return createUwsServer(options)
  const reason = await testUws()
  if (reason === undefined) return createUwsServer(options)
  options.onFallback?.(reason)
  return createNodeServer(options)
}
