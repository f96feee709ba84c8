// Limits the connections of uWebSockets.js, which neither counts them nor stops accepting: at too many
// descriptors, the listening socket is closed until some are free.

import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'
import { countLastConnections, getFullAt, getLowestFree } from './descriptors.ts'

const CHECK_INTERVAL_MS = 50
/** Listening resumes below this part of the limit, not at the first connection that ends. */
const ROOM = 0.9
/** At the limit, listening may begin and end many times. */
const QUIET_MS = 2000

export interface AcceptGuard {
  close(): void
}

export interface GuardOptions {
  readonly connections: number | undefined
  stop(): void
  /** While few connections are left, each response closes its own. */
  crowded(isCrowded: boolean): void
  /** Resolves with false when the port cannot be bound; it is then tried again. */
  start(): Promise<boolean>
  warn(message: string): void
}

export function guardAccept({ connections, stop, start, crowded, warn }: GuardOptions): AcceptGuard {
  const full = getFullAt(connections)
  if (full === undefined) return { close() {} }
  const before = getLowestFree()
  const room = before + (full - before) * ROOM
  const soft = full - countLastConnections(full - before)
  let state: 'listening' | 'stopped' | 'starting' = 'listening'
  let refusals: { readonly since: number; last: number } | undefined

  function refuse(): void {
    state = 'stopped'
    stop()
    const now = performance.now()
    if (refusals === undefined)
      warn(`${full} descriptors are in use, which is the limit: new connections are refused`)
    refusals ??= { since: now, last: now }
    refusals.last = now
  }

  async function startAgain(): Promise<void> {
    state = 'starting'
    state = (await start()) ? 'listening' : 'stopped'
    if (refusals !== undefined) refusals.last = performance.now()
  }

  function tellWhenOver(): void {
    if (state !== 'listening' || refusals === undefined || performance.now() - refusals.last < QUIET_MS)
      return
    const seconds = ((refusals.last - refusals.since) / 1000).toFixed(1)
    warn(`new connections are accepted again, after ${seconds} s`)
    refusals = undefined
  }

  const timer = setInterval(() => {
    const used = getLowestFree()
    crowded(used >= soft)
    if (state === 'listening' && used >= full) refuse()
    else if (state === 'stopped' && used < room) void startAgain()
    tellWhenOver()
  }, CHECK_INTERVAL_MS).unref()

  return { close: () => clearInterval(timer) }
}
