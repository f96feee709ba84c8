// Limits the connections that answers without an end (server-sent events, WebSockets) keep: the rest stays for requests.

import { ApiError } from '../lib/errors/api-error.ts'
import type { ServerLimits } from './server.ts'

/** The part of all connections that streams and sockets may keep, unless the limits say otherwise. */
const STREAM_SHARE = 0.5
/** The part of those that one address may keep. */
const ADDRESS_SHARE = 0.5
/** Without a number in the limits; each stream costs some 20 kB. */
const MAX_STREAMS = 20_000

export class StreamSlots {
  private readonly limits: Partial<Pick<ServerLimits, 'streams' | 'streamsPerAddress'>>
  private readonly byAddress = new Map<string, number>()
  private taken = 0
  /** Connections that may be open; known once the server listens. */
  connections = Number.POSITIVE_INFINITY

  constructor(limits: Partial<Pick<ServerLimits, 'streams' | 'streamsPerAddress'>>) {
    this.limits = limits
  }

  /** Returns what gives the slot back, once. Throws ServiceUnavailableError. */
  take(address: string): () => void {
    const { streams = Math.ceil(Math.min(this.connections * STREAM_SHARE, MAX_STREAMS)) } = this.limits
    const { streamsPerAddress = Math.ceil(streams * ADDRESS_SHARE) } = this.limits
    const own = this.byAddress.get(address) ?? 0
    if (this.taken >= streams)
      throw refusal(`the server keeps at most ${streams} streams and WebSockets open`)
    if (own >= streamsPerAddress)
      throw refusal(`one address keeps at most ${streamsPerAddress} streams and WebSockets open`)
    this.taken += 1
    this.byAddress.set(address, own + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.taken -= 1
      const left = (this.byAddress.get(address) ?? 1) - 1
      if (left === 0) this.byAddress.delete(address)
      else this.byAddress.set(address, left)
    }
  }
}

function refusal(why: string): ApiError {
  return new ApiError('ServiceUnavailableError', why, {}, { 'retry-after': '5' })
}
