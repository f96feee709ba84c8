// The id a request is known by in the log and in its answer: the client's own when well formed, else one made here.

import { randomBytes } from 'node:crypto'

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/

/** Random once per process and counted within it: unique without a system call per request. */
const prefix = randomBytes(6).toString('hex')
let count = 0

/** The id for a request that sent this `x-request-id`. */
export function requestId(sent: string | undefined): string {
  if (sent !== undefined && WELL_FORMED.test(sent)) return sent
  count += 1
  return `${prefix}-${count.toString(36)}`
}
