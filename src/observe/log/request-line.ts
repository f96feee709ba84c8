// Formats a log line of a request, as JSON or as short colored text.

import { toPrintable } from '../../lib/printable.ts'
import type { Paint } from './paint.ts'

export interface RequestLine {
  readonly method: string
  /** Percent-encoded, as sent. */
  readonly path: string
  /** Without values that may be secret. */
  readonly query: string | undefined
  readonly route?: string | undefined
  /** Of the body; undefined for a stream of unknown length. */
  readonly bytes?: number | undefined
  /** Undefined when the client disconnected before the response. */
  readonly status: number | undefined
  /** From the request's head to the response's last byte. */
  readonly ms: number
  /** A role's type with the user's id, or an API token's name. */
  readonly role?: string | undefined
  readonly user?: number | undefined
  readonly token?: string | undefined
  readonly statements?: number | undefined
  /** Letters, digits, `.`, `_` and `-`. */
  readonly requestId: string
}

/** `12:34:56 GET /api/articles?populate=author 200 3.1 ms public`, with a line break. */
export function formatRequest(line: RequestLine, now: Date, paint: Paint): string {
  const { method, path, query, status, ms, role, user, token, statements } = line
  const clock = paint(now.toTimeString().slice(0, 8), 90)
  const target = toPrintable(query === undefined ? path : `${path}?${query}`)
  const outcome = status === undefined ? paint('left', 33) : paint(String(status), getColor(status))
  const caller = token !== undefined ? `token ${token}` : user !== undefined ? `${role} ${user}` : role
  const rest = [
    `${ms.toFixed(1)} ms`,
    ...(caller === undefined ? [] : [toPrintable(caller)]),
    ...(statements === undefined ? [] : [`${statements} SQL`]),
  ]
  return `${clock} ${method} ${target} ${outcome} ${paint(rest.join(' '), 90)}\n`
}

function getColor(status: number): number {
  return status >= 500 ? 31 : status >= 400 ? 33 : 32
}
