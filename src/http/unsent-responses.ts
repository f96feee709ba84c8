// Counts unread bytes of large responses over all connections, so that clients which do not read cannot take
// all memory.

import { performance } from 'node:perf_hooks'
import { clearInterval, setImmediate, setInterval } from 'node:timers'
import { MIN_READ_BYTES_PER_SECOND, SEND_TIMEOUT_MS } from './timeouts.ts'

/** Smaller responses fit into the buffers of the system and transport, and are not counted. */
export const LARGE_RESPONSE_BYTES = 65_536

/** Takes tens of milliseconds to make. */
const MIN_HEAVY_BYTES = 2 * 1024 * 1024
/** Other clients need some turns to connect, send a request and be served. */
const MIN_QUIET_TURNS = 4

const ADDRESS_SHARE = 0.5

const WINDOW_MS = 1000
/** Per window, from each reader. */
const MIN_BYTES_WHEN_FULL = 65_536

/** Lives until the client has read the response. */
export interface UnsentResponse {
  /** Counts a large response being built. Throws ServiceUnavailableError without room for another. */
  grow(bytes: number): void
  /** 0: the client has read all, or is gone. */
  set(bytes: number): void
}

interface UnsentResponseOptions {
  readonly address: string
  /** Throws ServiceUnavailableError without room. */
  admit(): void
  /** Leads to `set(0)`. */
  disconnect(): void
}

export class UnsentResponses {
  held = 0
  /** Turns until another heavy response may be made. */
  private quietTurns = 0
  private readonly max: number
  private readonly readers = new Set<Reader>()
  private readonly byAddress = new Map<string, number>()
  private timer: NodeJS.Timeout | undefined
  private readonly waiting = new Map<string, Signal>()
  private isWanted = false

  constructor(max: number) {
    this.max = max
  }

  get isTurnTaken(): boolean {
    return this.quietTurns > 0
  }

  /** Without room, slow readers are disconnected soon. */
  hasRoom(client: { readonly address: string }): boolean {
    if (this.held < this.max * ADDRESS_SHARE) return true
    if (this.hasRoomFor(client.address)) return true
    this.isWanted = true
    return false
  }

  get isFull(): boolean {
    if (this.held >= this.max) this.isWanted = true
    return this.held >= this.max
  }

  /** Resolves at the latest when slow readers are checked. */
  whenRoom({ address }: { readonly address: string }): Promise<void> {
    if (this.readers.size === 0) return Promise.resolve()
    const waiting = this.waiting.get(address) ?? createSignal()
    this.waiting.set(address, waiting)
    return waiting.given
  }

  private tellRoom(isOver: boolean): void {
    for (const [address, { give }] of this.waiting) {
      if (!isOver && !this.hasRoomFor(address)) continue
      this.waiting.delete(address)
      give()
    }
  }

  private hasRoomFor(address: string): boolean {
    return this.held < this.max && this.heldBy(address) < this.max * ADDRESS_SHARE
  }

  open(options: UnsentResponseOptions): UnsentResponse {
    return new Reader(options, (reader, more) => this.count(reader, more))
  }

  stop(): void {
    clearInterval(this.timer)
    this.timer = undefined
    this.tellRoom(true)
  }

  private heldBy(address: string): number {
    return this.byAddress.get(address) ?? 0
  }

  private count(reader: Reader, more: number): void {
    const { bytes } = reader
    const { address } = reader.options
    this.held += more
    if (more >= MIN_HEAVY_BYTES) this.takeTurn()
    if (more < 0 && this.waiting.size > 0) this.tellRoom(false)
    const heldBy = this.heldBy(address) + more
    if (heldBy === 0) this.byAddress.delete(address)
    else this.byAddress.set(address, heldBy)
    if (bytes > 0) this.readers.add(reader)
    else this.readers.delete(reader)
    if (this.readers.size === 0) this.stop()
    else this.timer ??= setInterval(() => this.look(), WINDOW_MS).unref()
  }

  private takeTurn(): void {
    const isCounting = this.quietTurns > 0
    this.quietTurns = MIN_QUIET_TURNS
    if (!isCounting) setImmediate(() => this.endTurn())
  }

  private endTurn(): void {
    this.quietTurns -= 1
    if (this.quietTurns > 0) setImmediate(() => this.endTurn())
  }

  private look(): void {
    const now = performance.now()
    const least = this.isWanted ? MIN_BYTES_WHEN_FULL : 0
    this.isWanted = false
    for (const reader of [...this.readers]) if (reader.isSlow(now, least)) reader.options.disconnect()
    this.tellRoom(true)
  }
}

interface Signal {
  readonly given: Promise<void>
  give(): void
}

function createSignal(): Signal {
  let give = (): void => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}

class Reader implements UnsentResponse {
  bytes = 0
  readonly options: UnsentResponseOptions
  private readonly count: (reader: Reader, more: number) => void
  /** On the clock of `performance.now()`. */
  private began = 0
  private taken = 0
  /** Undefined before the first whole window. */
  private takenBefore: number | undefined
  private isSent = false

  constructor(options: UnsentResponseOptions, count: (reader: Reader, more: number) => void) {
    this.options = options
    this.count = count
  }

  grow(bytes: number): void {
    if (bytes < LARGE_RESPONSE_BYTES) return
    if (this.bytes === 0) this.options.admit()
    this.change(bytes)
  }

  set(bytes: number): void {
    this.isSent = true
    this.change(bytes)
  }

  private change(bytes: number): void {
    const more = bytes - this.bytes
    if (more === 0) return
    if (this.bytes === 0) {
      this.began = performance.now()
      this.taken = 0
      this.takenBefore = undefined
    }
    if (more < 0) this.taken -= more
    this.bytes = bytes
    this.count(this, more)
  }

  isSlow(now: number, least: number): boolean {
    // A response being built has the deadline of its request.
    if (!this.isSent) return false
    const isSlow = this.takenBefore !== undefined && this.taken - this.takenBefore < least
    this.takenBefore = this.taken
    return isSlow || now - this.began > SEND_TIMEOUT_MS + (this.taken / MIN_READ_BYTES_PER_SECOND) * 1000
  }
}
