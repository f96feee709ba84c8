// Checks a request's head more strictly than the transports' parsers: anything that two servers could read
// differently is a 400.

import { randomBytes } from 'node:crypto'

import { ApiError } from '../lib/errors/api-error.ts'

/** Names at even indexes, values at odd ones. */
export type HeaderList = readonly string[]

/** Bytes of names and values; node:http counts the whole head. */
export const MAX_HEAD_BYTES = 32_768

export const CHUNKED = -1

const DIGITS = /^[0-9]{1,15}$/

/**
 * Returns 0 without a body. Throws BadRequestError on repeated or contradictory framing headers, after which
 * the connection must be closed.
 */
export function getBodyBytes(headers: HeaderList): number {
  let length: string | undefined
  let coding: string | undefined
  let hosts = 0
  let credentials = 0
  let size = 0
  for (let index = 0; index < headers.length; index += 2) {
    size += (headers[index]?.length ?? 0) + (headers[index + 1]?.length ?? 0)
    switch (headers[index]) {
      case 'host':
        hosts += 1
        break
      case 'authorization':
        credentials += 1
        break
      case 'content-length':
        if (length !== undefined) throw refused('repeated content-length')
        length = headers[index + 1] ?? ''
        break
      case 'transfer-encoding':
        if (coding !== undefined) throw refused('repeated transfer-encoding')
        coding = headers[index + 1] ?? ''
        break
    }
  }
  if (size > MAX_HEAD_BYTES) throw refused(`the head is longer than ${MAX_HEAD_BYTES} bytes`)
  if (hosts > 1) throw refused('repeated host')
  if (credentials > 1) throw refused('repeated authorization')
  if (coding !== undefined) {
    if (coding !== 'chunked') throw refused('unsupported transfer-encoding')
    if (length !== undefined) throw refused('both content-length and transfer-encoding')
    return CHUNKED
  }
  if (length === undefined) return 0
  if (!DIGITS.test(length)) throw refused('malformed content-length')
  return Number(length)
}

/** Repeated headers are joined as RFC 9110 5.3 says. */
export function formatHeader(headers: HeaderList, name: string): string | undefined {
  let found: string | undefined
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index] !== name) continue
    const value = headers[index + 1] ?? ''
    found = found === undefined ? value : `${found}${name === 'cookie' ? ';' : ','} ${value}`
  }
  return found
}

export function listHeaderNames(headers: HeaderList): readonly string[] {
  return [...new Set(headers.filter((_, index) => index % 2 === 0))]
}

/** Handlers respond with 405 or 501 to unserved ones. */
const METHODS = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK SEARCH REPORT'.split(
    ' ',
  ),
)

/** Throws BadRequestError on a method outside the list and on a target that is not a path. */
export function checkRequestLine(method: string, path: string): void {
  // A set lookup has to hash a string from outside, and most requests are GET.
  if (method !== 'GET' && !METHODS.has(method)) throw refused('unknown method')
  if (path.charCodeAt(0) !== 47 /* / */) throw refused('malformed request target')
}

export function checkTarget(path: string, query: string, limit: number): void {
  if (path.length + query.length + 1 > limit)
    throw new ApiError('UriTooLongError', `the request target is longer than ${limit} bytes`)
}

function refused(reason: string): ApiError {
  return new ApiError('BadRequestError', reason)
}

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/

/** With a counter behind it, ids are unique without a system call per request. */
const prefix = randomBytes(6).toString('hex')
let count = 0

export function requestId(sent: string | undefined): string {
  return parseRequestId(sent) ?? buildNumberedId(nextNumber())
}

export function parseRequestId(sent: string | undefined): string | undefined {
  return sent !== undefined && WELL_FORMED.test(sent) ? sent : undefined
}

/** Most ids are never read, and need no text. */
export function nextNumber(): number {
  count += 1
  return count
}

export function buildNumberedId(number: number): string {
  return `${prefix}-${number.toString(36)}`
}
