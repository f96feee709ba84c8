// uWebSockets.js neither counts connections nor stops accepting them: when the process has too many descriptors open,
// its listening socket is closed, and opened again when there is room. Meanwhile new connections are refused by the system.

import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'
import { fullAt, lowestFree } from './descriptors.ts'

/** Milliseconds between two looks; each costs some microseconds. */
const LOOK_EVERY = 50
/** It listens again when so much of what was full is in use, not at the first connection that ends. */
const ROOM = 0.9

export interface AcceptGuard {
  close(): void
}

export interface GuardParts {
  readonly connections: number | undefined
  stop(): void
  /** False where the port cannot be had: it is tried again. */
  start(): Promise<boolean>
  warn(message: string): void
}

/** Begins when the socket listens. */
export function guardAccept({ connections, stop, start, warn }: GuardParts): AcceptGuard {
  const full = fullAt(connections)
  if (full === undefined) return { close() {} }
  const before = lowestFree()
  const room = before + (full - before) * ROOM
  let stoppedAt: number | undefined
  let starting = false

  async function startAgain(since: number): Promise<void> {
    starting = true
    if (await start()) {
      const seconds = ((performance.now() - since) / 1000).toFixed(1)
      warn(`new connections are accepted again, after ${seconds} s`)
      stoppedAt = undefined
    }
    starting = false
  }

  const timer = setInterval(() => {
    const used = lowestFree()
    if (stoppedAt === undefined && used >= full) {
      stoppedAt = performance.now()
      stop()
      warn(`${full} descriptors are in use, the most there may be: new connections are refused`)
    } else if (stoppedAt !== undefined && used < room && !starting) {
      void startAgain(stoppedAt)
    }
  }, LOOK_EVERY).unref()

  return { close: () => clearInterval(timer) }
}
