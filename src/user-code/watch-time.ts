// Logs slow functions of users: they keep a request or transaction open, and computing without a pause blocks
// every request.

import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers'
import { traceWork } from '../lib/traced.ts'
import type { UserCms } from './user-cms.ts'

export type UserFunction = (...args: readonly unknown[]) => unknown

/** Milliseconds until a pending promise is logged. */
const MIN_LONG_WAIT_MS = 5_000
/** Milliseconds of computing without a pause. */
const MIN_LONG_BLOCK_MS = 500
/** Milliseconds until the same function is logged again. */
const LOG_INTERVAL_MS = 10_000

/** `name`: `policy "is-owner" (./policies/is-owner.ts)`. */
export function watchTime(
  run: UserFunction,
  name: string,
  log: Pick<UserCms['log'], 'warn'>,
  { longWait = MIN_LONG_WAIT_MS, longBlock = MIN_LONG_BLOCK_MS } = {},
): UserFunction {
  let tellAgainAt = 0
  function tell(text: string): void {
    const now = performance.now()
    if (now < tellAgainAt) return
    tellAgainAt = now + LOG_INTERVAL_MS
    log.warn(`${name} ${text}`)
  }

  // One timer for all open calls: a timer for each would slow down every request.
  const open = new Set<{ readonly started: number }>()
  let looking = false
  function lookLater(): void {
    if (looking) return
    looking = true
    setTimeout(look, longWait / 2).unref()
  }
  function look(): void {
    looking = false
    const [oldest] = open
    if (oldest === undefined) return
    const waited = performance.now() - oldest.started
    if (waited >= longWait) tell(`still runs after ${(waited / 1000).toFixed(1)} seconds`)
    lookLater()
  }

  return (...args) => {
    const started = performance.now()
    const result = traceWork(name, () => run(...args))
    const blocked = performance.now() - started
    if (blocked >= longBlock) {
      tell(`ran for ${blocked.toFixed(0)} ms without a pause: no request was answered meanwhile`)
    }
    if (!(result instanceof Promise)) return result
    const call = { started }
    open.add(call)
    lookLater()
    const close = (): void => void open.delete(call)
    result.then(close, close)
    return result
  }
}
