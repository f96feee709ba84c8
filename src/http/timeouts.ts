// How long the transports wait for slow clients, in milliseconds.

import { performance } from 'node:perf_hooks'

/** The connection is closed when a client takes nothing of an answer for longer than this. */
export const SEND_TIMEOUT = 60_000

/** Bytes per second: a client gets the time that it needs at this rate to read a large answer, in addition to SEND_TIMEOUT. */
export const MIN_READ_RATE = 16 * 1024

/** How long, and for how many bytes, a body that is too large is still read, so that its sender can read the answer. */
export const LINGER_TIME = 2_000
export const LINGER_BYTES = 8 * 1024 * 1024

/** Bytes per second: an upload gets the time that it needs at this rate, in addition to the time for a request. */
const SLOWEST_UPLOAD = 16 * 1024

/** How long a closing server waits for a request that may be on its way over a kept-alive connection. */
export const QUIET_TIME = 20

/** The deadline of an upload, on the clock of `performance.now()`. Each byte received extends it. */
export function uploadDeadline(
  started: number,
  body: { readonly received: number; readonly ended: boolean },
  limits: { readonly requestTimeout: number },
): number {
  if (body.ended) return performance.now() + limits.requestTimeout
  return started + limits.requestTimeout + (body.received / SLOWEST_UPLOAD) * 1000
}

/** The longest that any upload may take, in milliseconds. */
export function longestUpload(limits: { readonly upload: number; readonly requestTimeout: number }): number {
  return limits.requestTimeout * 2 + Math.ceil(limits.upload / SLOWEST_UPLOAD) * 1000
}
