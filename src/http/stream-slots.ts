// Limits the connections of endless responses (server-sent events, WebSockets).

import { ApiError } from '../lib/errors/api-error.ts'
import type { ServerLimits } from './server.ts'

/** Part of all connections. */
const STREAM_SHARE = 0.5
/** Part of the streams. */
const ADDRESS_SHARE = 0.5
/** Each stream costs some 20 kB. */
const MAX_STREAMS = 20_000

export class StreamSlots {
  private readonly limits: Partial<Pick<ServerLimits, 'streams' | 'streamsPerAddress'>>
  private readonly byAddress = new Map<string, number>()
  private taken = 0
  connections = Number.POSITIVE_INFINITY

  constructor(limits: Partial<Pick<ServerLimits, 'streams' | 'streamsPerAddress'>>) {
    this.limits = limits
  }

  /** The returned function releases the slot. Throws ServiceUnavailableError. */
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
