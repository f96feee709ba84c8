// Handles faults that reached the top of the process: a user code's fault is logged; a server fault ends the
// process. Embedding programs decide for themselves.

import { performance } from 'node:perf_hooks'
import type { Log } from '../observe/log/create-log.ts'
import { judgeFault } from './judge-fault.ts'

export type FaultOrigin = 'uncaughtException' | 'unhandledRejection'

interface ProcessFaultsOptions {
  /** Used until the log exists. */
  err(text: string): void
  end(): void
}

interface ProcessFaults {
  take(fault: unknown, origin: FaultOrigin): void
  logTo(log: Log): void
}

const WHAT: Readonly<Record<FaultOrigin, string>> = {
  uncaughtException: 'threw an uncaught error',
  unhandledRejection: 'left a rejected promise unhandled',
}

/**
 * Timers may fail often: at most `MAX_LOGGED` faults are logged per `PERIOD` milliseconds, the others are
 * counted.
 */
const MAX_LOGGED = 10
const LOG_INTERVAL_MS = 10_000

export function createProcessFaults({ err, end }: ProcessFaultsOptions): ProcessFaults {
  let log: Log | undefined
  let periodEnds = 0
  let told = 0
  let untold = 0

  function mayTell(now: number): boolean {
    if (now >= periodEnds) {
      periodEnds = now + LOG_INTERVAL_MS
      told = 0
    }
    told += 1
    if (told > MAX_LOGGED) untold += 1
    return told <= MAX_LOGGED
  }

  return {
    logTo(given) {
      log = given
    },
    take(fault, origin) {
      const { owner, message, where } = judgeFault(fault)
      if (owner === 'server') {
        const text = `the process ends: after an internal error its state is unknown (${origin})`
        if (log === undefined) err(`cms-run: ${text}\n${getStack(fault)}\n`)
        else log.fatal({ error: fault }, text)
        end()
        return
      }
      if (!mayTell(performance.now())) return
      const others = untold === 0 ? '' : `; ${untold} more were not logged`
      untold = 0
      const place = where === undefined ? '' : ` ${where}`
      const text = `users' code ${WHAT[origin]}: ${message}${place}; the server goes on${others}`
      if (log === undefined) err(`cms-run: ${text}\n`)
      else log.error({ error: fault }, text)
    },
  }
}

function getStack(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
}
