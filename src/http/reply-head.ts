// Turns a reply into checked header lines, so that all transports refuse the same values.

import { InvariantError } from '../lib/errors/invariant.ts'
import { createHeaderSet, formatHeader } from './header-set.ts'
import { JSON_TYPE, type Reply } from './reply.ts'

const JSON_LINE = formatHeader('content-type', JSON_TYPE)

/** Throws on text with a line break, which could add a header. */
export function formatHeaders({ status, common, prepared, contentType, headers, cookies }: Reply): string {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new InvariantError(`not a reply status: ${status}`)
  }
  let block = common === undefined ? '' : common.block
  if (contentType === JSON_TYPE) block += JSON_LINE
  else if (contentType !== undefined) block += formatHeader('content-type', contentType)
  if (prepared !== undefined) block += prepared.block
  if (headers !== undefined) for (const name in headers) block += formatHeader(name, headers[name] ?? '')
  if (cookies !== undefined) for (const one of cookies) block += formatHeader('set-cookie', one)
  return block
}

export function listHeaderPairs(reply: Reply): (readonly [name: string, value: string])[] {
  formatHeaders(reply)
  const pairs = [...(reply.common?.entries ?? []), ...(reply.prepared?.entries ?? [])]
  if (reply.contentType !== undefined) pairs.push(['content-type', reply.contentType])
  for (const one of reply.cookies ?? []) pairs.push(['set-cookie', one])
  return reply.headers === undefined ? pairs : [...pairs, ...createHeaderSet(reply.headers).entries]
}
