// Waits, before a server closes, for requests that clients have sent already.

import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { QUIET_MS } from './timeouts.ts'

const MIN_QUIET_ROUNDS = 4

/**
 * Resolves when no request runs and none has come for `QUIET_TIME`, or after `drain` milliseconds. A delayed
 * process has unread requests in its sockets, so each round waits, and then lets the event loop read its
 * sockets once (timers come before them, `setImmediate` after them).
 */
export async function drainConnections(
  drain: number,
  requests: () => { readonly running: number; readonly served: number },
): Promise<void> {
  const end = performance.now() + drain
  let seen = -1
  for (let quiet = 0; quiet < MIN_QUIET_ROUNDS && performance.now() < end; ) {
    await setTimeout(QUIET_MS / MIN_QUIET_ROUNDS)
    await setImmediate()
    const { running, served } = requests()
    quiet = running === 0 && served === seen ? quiet + 1 : 0
    seen = served
  }
}
