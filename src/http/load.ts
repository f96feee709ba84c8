// Detects overload by running requests and the event loop's delay; new requests are then refused unread.

import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'
import { ApiError } from '../lib/errors/api-error.ts'
import { createTurnstile } from '../lib/turnstile.ts'
import type { ServerLimits } from './server.ts'
import type { UnsentResponse, UnsentResponses } from './unsent-responses.ts'

const CHECK_INTERVAL_MS = 250
/** A single long task is no overload. */
const MIN_LATE_CHECKS = 3
const MAX_WAIT_FOR_ROOM_MS = 10_000
const MIN_QUIET_MS = 2000

/** Reading the address is costly. */
export interface Client {
  readonly address: string
}

export interface Load {
  /** Throws ServiceUnavailableError when the request has to be refused. */
  admit(): void
  /**
   * Undefined: the request may begin now. Otherwise it begins in its own turn, because this turn made a heavy
   * response or too many responses are unread. Rejects with ServiceUnavailableError after too long a wait.
   */
  turnFor(client: Client): Promise<void> | undefined
  /** `disconnect` ends the client's connection if it reads too slowly. */
  openAnswer(client: Client, disconnect: () => void): UnsentResponse
  begin(): void
  end(): void
  stop(): void
}

export function createLoad(
  { requests = Number.POSITIVE_INFINITY, eventLoopDelay = 0 }: Partial<ServerLimits>,
  warn: (message: string) => void,
  unsent: UnsentResponses,
): Load {
  const nextTurn = createTurnstile()
  let working = 0
  let late = 0
  let looked = performance.now()
  let refused = 0
  let firstRefusal = 0
  let lastRefusal = 0

  function look(): void {
    const now = performance.now()
    late = eventLoopDelay > 0 && now - looked - CHECK_INTERVAL_MS >= eventLoopDelay ? late + 1 : 0
    looked = now
    if (refused === 0 || now - lastRefusal < MIN_QUIET_MS) return
    const lasted = ((lastRefusal - firstRefusal) / 1000).toFixed(1)
    warn(`no longer overloaded: ${refused} requests were answered 503 within ${lasted} s`)
    refused = 0
  }
  const timer = setInterval(look, CHECK_INTERVAL_MS).unref()

  // Created once: most of an error's cost is its stack.
  const refusal = new ApiError(
    'ServiceUnavailableError',
    'the server is overloaded',
    {},
    { 'retry-after': '1' },
  )
  function refuse(sign: string): never {
    lastRefusal = performance.now()
    if (refused === 0) {
      firstRefusal = lastRefusal
      warn(`overloaded: ${sign}; new requests are answered 503`)
    }
    refused += 1
    throw refusal
  }

  function refuseUnsent(): never {
    refuse(`${unsent.held} bytes of responses wait for clients that do not read them`)
  }

  async function waitForTurn(client: Client): Promise<void> {
    const until = performance.now() + MAX_WAIT_FOR_ROOM_MS
    // A response that is made in one turn counts for the next request.
    for (;;) {
      await nextTurn()
      const isTurnTaken = unsent.isTurnTaken
      if (!isTurnTaken && unsent.hasRoom(client)) return
      if (performance.now() > until) refuseUnsent()
      if (!isTurnTaken) await unsent.whenRoom(client)
    }
  }

  return {
    turnFor: (client) => (unsent.isTurnTaken || !unsent.hasRoom(client) ? waitForTurn(client) : undefined),
    openAnswer: (client, disconnect) =>
      unsent.open({
        address: client.address,
        admit() {
          if (unsent.isFull) refuseUnsent()
        },
        disconnect,
      }),
    admit() {
      if (working >= requests) refuse(`${working} requests are worked on at the same time`)
      if (late >= MIN_LATE_CHECKS) refuse(`the event loop is more than ${eventLoopDelay} ms late`)
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
