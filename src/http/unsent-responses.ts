// Counts the bytes of large answers that wait for their readers, over all connections of a server together, against one
// budget: many clients that ask and do not read must not take all memory.

import { performance } from 'node:perf_hooks'
import { clearInterval, setImmediate, setInterval } from 'node:timers'
import { MIN_READ_RATE, SEND_TIMEOUT } from './timeouts.ts'

/** Bytes. Smaller answers fit into the buffers of the system and of the transport, and are not counted. */
export const LARGE_RESPONSE_BYTES = 65_536

/** Bytes. An answer of this size takes tens of milliseconds to make. */
const HEAVY_ANSWER = 2 * 1024 * 1024
/** Others need some turns of the event loop to connect, ask and be answered. */
const QUIET_TURNS = 4

/** One address may fill this part of the budget. */
const ADDRESS_SHARE = 0.5

/** Milliseconds over which it is measured how much a reader takes. */
const WINDOW_MS = 1000
/** Bytes that a reader has to take in a window while others need its room. */
const MIN_BYTES_WHEN_FULL = 65_536

/** An answer, from the moment that it is made until the client has read it. */
export interface UnsentResponse {
  /**
   * Sets how many bytes of an answer in the making are in memory; small ones do not count. Throws
   * ServiceUnavailableError when there is no room for another large answer.
   */
  grow(bytes: number): void
  /** Sets how many bytes wait now; 0: the client has read all, or is gone. */
  set(bytes: number): void
}

interface UnsentResponseOptions {
  readonly address: string
  /** Throws ServiceUnavailableError when there is no room. */
  admit(): void
  /** Ends the connection of a client that reads too slowly; it leads to `set(0)`. */
  disconnect(): void
}

export class UnsentResponses {
  /** Bytes that wait now. */
  held = 0
  /** Turns of the event loop, with this one, until another heavy answer may be made. */
  private quietTurns = 0
  private readonly max: number
  private readonly readers = new Set<Reader>()
  private readonly byAddress = new Map<string, number>()
  private timer: NodeJS.Timeout | undefined
  /** Requests that wait for room, by address. */
  private readonly waiting = new Map<string, Signal>()
  /** Whether there was no room for somebody within the window. */
  private isWanted = false

  constructor(max: number) {
    this.max = max
  }

  /** Whether a heavy answer was made just now. */
  get isTurnTaken(): boolean {
    return this.quietTurns > 0
  }

  /** Whether a request of this address may begin. If there is no room, slow readers are disconnected soon. */
  hasRoom(client: { readonly address: string }): boolean {
    if (this.held < this.max * ADDRESS_SHARE) return true
    if (this.hasRoomFor(client.address)) return true
    this.isWanted = true
    return false
  }

  /** Whether an answer in the making may go on. */
  get isFull(): boolean {
    if (this.held >= this.max) this.isWanted = true
    return this.held >= this.max
  }

  /** Resolves when there may be room for this address, and at the latest when it is time to look for slow readers. */
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
    if (more >= HEAVY_ANSWER) this.takeTurn()
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
    this.quietTurns = QUIET_TURNS
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
  /** When bytes began to wait, on the clock of `performance.now()`, and how many were taken since. */
  private began = 0
  private taken = 0
  /** How many were taken when the window began; undefined: it has not been open for a whole window. */
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

  /** Called at the end of each window, in which it has to take so many bytes. */
  isSlow(now: number, least: number): boolean {
    // The deadline of the request is that of an answer in the making.
    if (!this.isSent) return false
    const isSlow = this.takenBefore !== undefined && this.taken - this.takenBefore < least
    this.takenBefore = this.taken
    return isSlow || now - this.began > SEND_TIMEOUT + (this.taken / MIN_READ_RATE) * 1000
  }
}
