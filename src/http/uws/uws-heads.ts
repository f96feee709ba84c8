// The starts of answers as bytes, each with a place for the id of the request. uWebSockets.js copies bytes as they are, while a text
// is measured and encoded each time: with the usual ten header lines that took half as long as everything else we do for a
// short answer.

import type { HeaderSet } from '../header-set.ts'
import { JSON_TYPE, type Reply } from '../reply.ts'
import { sharedBlock } from '../reply-head.ts'
import { numberedId } from '../request-head.ts'
import { statusLine } from '../status-line.ts'

/** Starts of answers with the same headers in common, by status: of JSON, and of anything else. */
interface Starts {
  readonly json: Map<number, Uint8Array>
  readonly other: Map<number, Uint8Array>
}

export class UwsHeads {
  /** Header lines of every answer that leaves its connection open. */
  readonly keepAlive: string
  readonly #starts = new WeakMap<HeaderSet, Starts>()

  constructor(keepAlive: string) {
    this.keepAlive = keepAlive
  }

  /**
   * The status line and all headers that the reply shares with others, as `writeStatus` takes them. They end with the id of another
   * request, over which the next one is written. Throws on a status that is none.
   */
  startOf(reply: Reply, common: HeaderSet): Uint8Array {
    let starts = this.#starts.get(common)
    if (starts === undefined) {
      starts = { json: new Map(), other: new Map() }
      this.#starts.set(common, starts)
    }
    const byStatus = reply.contentType === JSON_TYPE ? starts.json : starts.other
    let start = byStatus.get(reply.status)
    if (start === undefined) {
      const lines = `${this.keepAlive}${sharedBlock(reply)}\r\nx-request-id: ${numberedId(0)}`
      start = Buffer.from(statusLine(reply.status) + lines, 'latin1')
      byStatus.set(reply.status, start)
    }
    return start
  }
}
