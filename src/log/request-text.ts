// One answered request as a line of JSON. Written by hand: JSON.stringify of a short object takes several times as long, which
// would be a tenth of a short request. What comes again from line to line is kept as text, because each piece of a line costs twice:
// when it is added, and when the line is copied out.

import type { RequestLine } from './request-line.ts'

/** Texts in which nothing needs an escape. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/**
 * Returns what makes a line at a moment (epoch milliseconds), with the same keys in the same order as pino would write.
 * `more`: what comes before those of the request, with a comma at its end.
 */
export function createRequestText(more: string): (line: RequestLine, time: number) => string {
  /** What follows the path and the query, beginning with the quote that ends them. */
  const answered = remember((route: string | undefined) =>
    remember((status: number | undefined) => `"${pair('route', route)}${pair('status', status)}`),
  )
  const sized = remember((bytes: number | undefined) => pair('bytes', bytes))
  const took = remember((role: string | undefined) =>
    remember((tenths: number) => `${pair('ms', tenths / 10)}${pair('role', role)}`),
  )
  let begun = ''
  let begunAt = Number.NaN
  let begunBy = ''

  function begin(method: string, time: number): string {
    if (time !== begunAt || method !== begunBy) {
      begunAt = time
      begunBy = method
      begun = `{"level":30,"time":${time},${more}"method":"${escaped(method)}","path":"`
    }
    return begun
  }

  return (line, time) => {
    const { query, user, token, statements } = line
    let text = begin(line.method, time) + escaped(line.path)
    if (query !== undefined) text += `","query":"${escaped(query)}`
    text += answered(line.route)(line.status)
    text += sized(line.bytes)
    text += took(line.role)(Math.round(line.ms * 10))
    if (user !== undefined) text += pair('user', user)
    if (token !== undefined) text += pair('token', token)
    if (statements !== undefined) text += pair('statements', statements)
    return `${text},"requestId":"${line.requestId}","message":"request"}\n`
  }
}

/** With a comma in front; empty for a value that is not there. */
function pair(name: string, value: string | number | undefined): string {
  return value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`
}

function escaped(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text).slice(1, -1)
}

/** Texts of each kind that are kept, the first that come: routes, statuses, roles, short times and sizes that come again are few. */
const MOST = 300

function remember<T, Made>(make: (value: T) => Made): (value: T) => Made {
  const known = new Map<T, Made>()
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const made = make(value)
    if (known.size < MOST) known.set(value, made)
    return made
  }
}
