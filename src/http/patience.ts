// How long the transports wait for clients that take their time; the same for all.

import { performance } from 'node:perf_hooks'

/** A reader that takes longer than this for one answer is cut off. */
export const SEND_TIMEOUT = 60_000

/** How long, and for how many bytes, a body that is too large is read on so that its sender can see the answer. */
export const LINGER_TIME = 2_000
export const LINGER_BYTES = 8 * 1024 * 1024

/** Bytes a second: an upload gets as long as it takes at this pace, beside the time for a request. */
const SLOWEST_UPLOAD = 16 * 1024

/** How long a closing server waits for a request that may be on its way over a kept-alive connection. */
export const QUIET_TIME = 20

/** Until when an upload may go on, on the clock of `performance.now()`; what is here grants time for the rest. */
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
