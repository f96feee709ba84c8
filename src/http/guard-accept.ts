// Limits the connections of uWebSockets.js, which neither counts them nor stops accepting. When the process has too
// many descriptors open, the listening socket is closed until there are fewer; the system then refuses connections.

import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'
import { fullAt, lowestFree } from './descriptors.ts'

/** Milliseconds between two checks; each costs some microseconds. */
const LOOK_EVERY = 50
/** Listening resumes when the use falls below this part of the limit, not at the first connection that ends. */
const ROOM = 0.9

export interface AcceptGuard {
  close(): void
}

export interface GuardParts {
  readonly connections: number | undefined
  stop(): void
  /** Resolves with false when the port cannot be bound; it is then tried again. */
  start(): Promise<boolean>
  warn(message: string): void
}

/** Starts the checks; called once the socket listens. */
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
      warn(`${full} descriptors are in use, which is the limit: new connections are refused`)
    } else if (stoppedAt !== undefined && used < room && !starting) {
      void startAgain(stoppedAt)
    }
  }, LOOK_EVERY).unref()

  return { close: () => clearInterval(timer) }
}
