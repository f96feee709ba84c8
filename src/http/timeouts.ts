// Timeouts for slow clients, in milliseconds.

import { performance } from 'node:perf_hooks'

/** Closes the connection of a client that reads nothing for this long. */
export const SEND_TIMEOUT_MS = 60_000

/** Bytes per second: adds time for a large response to SEND_TIMEOUT. */
export const MIN_READ_BYTES_PER_SECOND = 16 * 1024

/** An oversized body is still read up to these limits, so that its sender can read the response. */
export const LINGER_MS = 2_000
export const LINGER_BYTES = 8 * 1024 * 1024

/** Bytes per second: adds time for an upload to that of a request. */
const MIN_UPLOAD_BYTES_PER_SECOND = 16 * 1024

/** Waits for a request that may be on its way over a kept-alive connection. */
export const QUIET_MS = 20

/** On the clock of `performance.now()`. Each received byte extends it. */
export function uploadDeadline(
  started: number,
  body: { readonly received: number; readonly ended: boolean },
  limits: { readonly requestTimeout: number },
): number {
  if (body.ended) return performance.now() + limits.requestTimeout
  return started + limits.requestTimeout + (body.received / MIN_UPLOAD_BYTES_PER_SECOND) * 1000
}

/** Milliseconds. */
export function getUploadTimeout(limits: {
  readonly upload: number
  readonly requestTimeout: number
}): number {
  return limits.requestTimeout * 2 + Math.ceil(limits.upload / MIN_UPLOAD_BYTES_PER_SECOND) * 1000
}
