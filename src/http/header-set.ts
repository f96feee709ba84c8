// Checks that no header value can start a line, and joins shared headers once.

import { InvariantError } from '../lib/errors/invariant.ts'

export interface HeaderSet {
  readonly entries: readonly (readonly [name: string, value: string])[]
  readonly block: string
}

const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/
/** Visible ASCII, space and tab: the transports differ in how they encode other characters. */
const VALUE = /^[\t\x20-\x7e]*$/

/**
 * Only the transports may write these: they frame the message, or concern the connection or the request's id.
 */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'x-request-id'])

/** Throws on a name or value that HTTP does not allow. */
export function formatHeader(name: string, value: string): string {
  if (!NAME.test(name)) throw new InvariantError(`reply header name not allowed: ${JSON.stringify(name)}`)
  if (FRAMING.has(name)) throw new InvariantError(`reply header is the transport's own: ${name}`)
  if (!VALUE.test(value))
    throw new InvariantError(`reply header ${name} holds a character HTTP does not allow`)
  return `\r\n${name}: ${value}`
}

export function createHeaderSet(headers: Readonly<Record<string, string>>): HeaderSet {
  const entries = Object.entries(headers)
  return { entries, block: entries.map(([name, value]) => formatHeader(name, value)).join('') }
}
