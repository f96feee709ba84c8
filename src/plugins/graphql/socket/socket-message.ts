// Parses messages of graphql-transport-ws, as clients of graphql-ws send them.

import { parseJson } from '../../../http/body/parse-json.ts'
import { isRecord } from '../../../lib/is-record.ts'

export const PROTOCOL = 'graphql-transport-ws'

export type ClientMessage =
  | { readonly type: 'connection_init'; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly type: 'ping' | 'pong' }
  | { readonly type: 'subscribe'; readonly id: string; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly type: 'complete'; readonly id: string }

/** In characters; clients use UUIDs and short words. */
const MAX_ID_LENGTH = 200

/** Undefined if the text is not a message of the protocol. */
export function parseMessage(text: string): ClientMessage | undefined {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return undefined
  }
  if (!isRecord(value)) return undefined
  const { type, id, payload } = value
  switch (type) {
    case 'connection_init':
      if (payload !== undefined && payload !== null && !isRecord(payload)) return undefined
      return { type, payload: payload ?? {} }
    case 'ping':
    case 'pong':
      return { type }
    case 'subscribe':
      return isId(id) && isRecord(payload) ? { type, id, payload } : undefined
    case 'complete':
      return isId(id) ? { type, id } : undefined
    default:
      return undefined
  }
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH
}

/**
 * Browsers send no headers with a WebSocket, so clients send `{ authorization }`, `{ headers: { Authorization
 * } }`, or `{ token }` without the word Bearer.
 */
export function getAuthorization(payload: Readonly<Record<string, unknown>>): string | undefined {
  const given = headerIn(payload) ?? (isRecord(payload['headers']) ? headerIn(payload['headers']) : undefined)
  if (given !== undefined) return given
  const { token } = payload
  return typeof token === 'string' && token !== '' ? `Bearer ${token}` : undefined
}

function headerIn(values: Readonly<Record<string, unknown>>): string | undefined {
  const [, value] = Object.entries(values).find(([name]) => name.toLowerCase() === 'authorization') ?? []
  return typeof value === 'string' && value !== '' ? value : undefined
}
