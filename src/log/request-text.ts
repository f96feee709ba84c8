// One answered request as a line of JSON. Written by hand: JSON.stringify of a short object takes several times as long, which
// would be a tenth of a short request.

import type { RequestLine } from './request-line.ts'

/** Texts in which nothing needs an escape. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** The same keys, in the same order, as JSON.stringify would write; `more`: what comes before them, with a comma at its end. */
export function requestText(line: RequestLine, time: number, more: string): string {
  const { method, path, query, route, status, bytes, ms, role, user, token, statements, requestId } = line
  let text = `{"level":30,"time":${time},${more}"method":${quoted(method)},"path":${quoted(path)}`
  if (query !== undefined) text += `,"query":${quoted(query)}`
  if (route !== undefined) text += `,"route":${quoted(route)}`
  if (status !== undefined) text += `,"status":${status}`
  if (bytes !== undefined) text += `,"bytes":${bytes}`
  text += `,"ms":${ms}`
  if (role !== undefined) text += `,"role":${quoted(role)}`
  if (user !== undefined) text += `,"user":${user}`
  if (token !== undefined) text += `,"token":${quoted(token)}`
  if (statements !== undefined) text += `,"statements":${statements}`
  return `${text},"requestId":${quoted(requestId)},"message":"request"}\n`
}

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
