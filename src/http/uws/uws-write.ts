// Writes a checked reply to a response of uWebSockets.js, and works around its surprises.

import { getBodyLength, isBodyStream, type Reply, type ReplyBody } from '../reply.ts'
import { formatHeaders } from '../reply-head.ts'
import { getStatusLine, isBodiless } from '../status-line.ts'
import type { UwsResponse } from './uws-binding.ts'

/** uWebSockets.js buffers 16 KB: this padding forces a flush. */
const FLUSH = ' '.repeat(16_384)

export const CLOSES = '\r\nconnection: close'

export function asksToClose(wanted: string | undefined): boolean {
  return wanted?.toLowerCase() === 'close'
}

/** False when the response closes the connection: uWebSockets.js then sends the body. */
export function hasOwnPace(
  method: string,
  reply: Reply,
  close: boolean,
): reply is Reply & { readonly body: ReplyBody } {
  const { status, body = '' } = reply
  if (method === 'HEAD' || isBodiless(status)) return false
  return body.length !== 0 && (isBodyStream(body) || !close)
}

/** Leaves out the length. `lines` begins with the request id. */
export function writeStart(response: UwsResponse, status: number, lines: string): void {
  if (status !== 200) response.writeStatus(getStatusLine(status))
  response.writeHeader('x-request-id', lines)
}

/** Returns true when the caller has to close the socket once it is no longer corked. */
export function writeWhole(
  response: UwsResponse,
  method: string,
  { status, body = '' }: Reply,
  lines: string,
  close: boolean,
  corked: boolean,
): boolean {
  if (method !== 'HEAD' && !isBodiless(status)) {
    writeStart(response, status, lines)
    response.end(isBodyStream(body) ? '' : body, close)
    return false
  }
  // `endWithoutBody` cannot be used: with a length it leaves the response open, with its close flag it writes a length.
  const length = isBodiless(status) ? undefined : getBodyLength(body)
  const head = length === undefined ? lines : `${lines}\r\ncontent-length: ${length}`
  if (close && !corked) {
    writeStart(response, status, `${head}${CLOSES}\r\n`)
    return true
  }
  writeStart(response, status, close ? head + CLOSES : head)
  response.endWithoutBody()
  return false
}

/**
 * Closes before another byte of this connection is parsed: `end` with its close flag would still pass on
 * pipelined requests. So the response is written by hand, padded to be flushed at once.
 */
export function refuseNow(response: UwsResponse, reply: Reply, id: string): void {
  const body = `${reply.body ?? ''}${FLUSH}`
  const lines = `${id}${formatHeaders(reply)}${CLOSES}\r\ncontent-length: ${body.length + 2}`
  writeStart(response, reply.status, `${lines}\r\n\r\n${body}`)
  response.close()
}
