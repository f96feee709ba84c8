// The texts of HTTP status lines.

import { STATUS_CODES } from 'node:http'

/** E.g. `404 Not Found`. */
export function getStatusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? 'Unknown'}`
}

/** HTTP forbids a body and a length in these responses. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304
}
