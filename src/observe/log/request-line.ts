// One answered request as the log shows it: JSON for machines, or a short coloured line for people.

import { printable } from '../../lib/printable.ts'
import type { Paint } from './paint.ts'

export interface RequestLine {
  readonly method: string
  /** As it was sent, still percent-encoded. */
  readonly path: string
  /** Without values that may be secret; undefined without one. */
  readonly query: string | undefined
  /** The pattern of the route that answered; undefined without one. */
  readonly route?: string | undefined
  /** Of the body; undefined for a stream of unknown length. */
  readonly bytes?: number | undefined
  /** Undefined when the client left before an answer. */
  readonly status: number | undefined
  /** From the head of the request to the last byte of the answer. */
  readonly ms: number
  /** Whose permissions were asked: the type of a role, with the user's id, or the name of an API token. */
  readonly role?: string | undefined
  readonly user?: number | undefined
  readonly token?: string | undefined
  /** How many SQL statements it took; undefined when they are not counted. */
  readonly statements?: number | undefined
  /** Letters, digits, `.`, `_` and `-`. */
  readonly requestId: string
}

/** `12:34:56 GET /api/articles?populate=author 200 3.1 ms public`, with a line break at the end. */
export function prettyRequest(line: RequestLine, now: Date, paint: Paint): string {
  const { method, path, query, status, ms, role, user, token, statements } = line
  const clock = paint(now.toTimeString().slice(0, 8), 90)
  const target = printable(query === undefined ? path : `${path}?${query}`)
  const outcome = status === undefined ? paint('left', 33) : paint(String(status), getColor(status))
  const caller = token !== undefined ? `token ${token}` : user !== undefined ? `${role} ${user}` : role
  const rest = [
    `${ms.toFixed(1)} ms`,
    ...(caller === undefined ? [] : [printable(caller)]),
    ...(statements === undefined ? [] : [`${statements} SQL`]),
  ]
  return `${clock} ${method} ${target} ${outcome} ${paint(rest.join(' '), 90)}\n`
}

/** Green for what worked, yellow for a mistake of the client, red for one of ours. */
function getColor(status: number): number {
  return status >= 500 ? 31 : status >= 400 ? 33 : 32
}
