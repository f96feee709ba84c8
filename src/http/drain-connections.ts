// How a server that closes waits for what clients have sent already; the same for both transports.

import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { QUIET_TIME } from './timeouts.ts'

/** How often in a row the sockets were read and held nothing new. */
const QUIET_ROUNDS = 4

/**
 * Resolves when no request runs and none has come for `QUIET_TIME`, or after `drain` milliseconds. Time alone does not
 * say so: a process that was held up for longer than that has requests in its sockets that it has not read yet. So each
 * round waits, and then lets the event loop read its sockets once (timers come before them, `setImmediate` after them).
 */
export async function drainConnections(
  drain: number,
  requests: () => { readonly running: number; readonly served: number },
): Promise<void> {
  const end = performance.now() + drain
  let seen = -1
  for (let quiet = 0; quiet < QUIET_ROUNDS && performance.now() < end; ) {
    await setTimeout(QUIET_TIME / QUIET_ROUNDS)
    await setImmediate()
    const { running, served } = requests()
    quiet = running === 0 && served === seen ? quiet + 1 : 0
    seen = served
  }
}
