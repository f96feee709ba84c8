// Whether a process has more to do than it can: then new requests are refused at once, before they are read, and those
// that it has are answered. Two signs: how many it works on, and how late it comes to new work.

import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'
import { ApiError } from '../errors/api-error.ts'
import type { ServerLimits } from './server.ts'

/** Milliseconds between two looks at the event loop. */
const LOOK_EVERY = 250
/** So many looks in a row must be late: one long piece of work is no overload. */
const LATE_LOOKS = 3
/** Milliseconds without a refusal until the log says that it is over. */
const QUIET = 2000

export interface Load {
  /** Throws where a new request is to be refused. */
  admit(): void
  /** One more is worked on; one fewer. */
  begin(): void
  end(): void
  stop(): void
}

export function createLoad(
  { requests = Number.POSITIVE_INFINITY, eventLoopDelay = 0 }: Partial<ServerLimits>,
  warn: (message: string) => void,
): Load {
  let working = 0
  let late = 0
  let looked = performance.now()
  let refused = 0
  let firstRefusal = 0
  let lastRefusal = 0

  function look(): void {
    const now = performance.now()
    late = eventLoopDelay > 0 && now - looked - LOOK_EVERY >= eventLoopDelay ? late + 1 : 0
    looked = now
    if (refused === 0 || now - lastRefusal < QUIET) return
    const lasted = ((lastRefusal - firstRefusal) / 1000).toFixed(1)
    warn(`no longer overloaded: ${refused} requests were answered 503 within ${lasted} s`)
    refused = 0
  }
  const timer = setInterval(look, LOOK_EVERY).unref()

  function refuse(sign: string): never {
    lastRefusal = performance.now()
    if (refused === 0) {
      firstRefusal = lastRefusal
      warn(`overloaded: ${sign}; new requests are answered 503`)
    }
    refused += 1
    throw new ApiError('ServiceUnavailableError', 'the server is overloaded', {}, { 'retry-after': '1' })
  }

  return {
    admit() {
      if (working >= requests) refuse(`${working} requests are worked on at the same time`)
      if (late >= LATE_LOOKS) refuse(`the event loop is more than ${eventLoopDelay} ms late`)
    },
    begin() {
      working += 1
    },
    end() {
      working -= 1
    },
    stop() {
      clearInterval(timer)
    },
  }
}
