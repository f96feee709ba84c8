// One answered request as a line of JSON. Written by hand: JSON.stringify of a short object takes several times as long, which
// would be a tenth of a short request. What comes again from line to line is kept as text, because each piece of a line costs twice:
// when it is added, and when the line is copied out.

import type { RequestLine } from './request-line.ts'

/** Texts in which nothing needs an escape. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/**
 * Returns what makes a line at a moment (epoch milliseconds), with the same keys in the same order as JSON.stringify would write.
 * `more`: what comes before those of the request, with a comma at its end.
 */
export function createRequestText(more: string): (line: RequestLine, time: number) => string {
  const routed = remember((route: string) => `,"route":${quoted(route)}`)
  const ended = remember((status: number) => `,"status":${status}`)
  const took = remember((tenths: number) => `,"ms":${tenths / 10}`)
  const asked = remember((role: string) => `,"role":${quoted(role)}`)
  let begun = ''
  let begunAt = Number.NaN
  let begunBy = ''

  function begin(method: string, time: number): string {
    if (time !== begunAt || method !== begunBy) {
      begunAt = time
      begunBy = method
      begun = `{"level":30,"time":${time},${more}"method":${quoted(method)},"path":`
    }
    return begun
  }

  return (line, time) => {
    const { method, path, query, route, status, bytes, ms, role, user, token, statements, requestId } = line
    let text = begin(method, time) + quoted(path)
    if (query !== undefined) text += `,"query":${quoted(query)}`
    if (route !== undefined) text += routed(route)
    if (status !== undefined) text += ended(status)
    if (bytes !== undefined) text += `,"bytes":${bytes}`
    text += took(Math.round(ms * 10))
    if (role !== undefined) text += asked(role)
    if (user !== undefined) text += `,"user":${user}`
    if (token !== undefined) text += `,"token":${quoted(token)}`
    if (statements !== undefined) text += `,"statements":${statements}`
    return `${text},"requestId":${quoted(requestId)},"message":"request"}\n`
  }
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** Texts of each kind that are kept, the first that come: routes, roles and short times are few. */
const MOST = 1000

function remember<T>(make: (value: T) => string): (value: T) => string {
  const known = new Map<T, string>()
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const made = make(value)
    if (known.size < MOST) known.set(value, made)
    return made
  }
}
