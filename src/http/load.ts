// Detects overload of the process: new requests are then refused before they are read, and running ones are finished.
// The signs of overload are the number of running requests and the delay of the event loop.

import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'
import { ApiError } from '../lib/errors/api-error.ts'
import { createTurnstile } from '../lib/turnstile.ts'
import type { ServerLimits } from './server.ts'
import type { UnsentResponse, UnsentResponses } from './unsent-responses.ts'

/** Milliseconds between two checks of the event loop. */
const LOOK_EVERY = 250
/** This many checks in a row must be late: a single long task is no overload. */
const LATE_LOOKS = 3
/** Milliseconds that a request waits for other answers to be read. */
const MAX_WAIT_FOR_ROOM_MS = 10_000
/** Milliseconds without a refusal until the log says that the overload is over. */
const QUIET = 2000

/** Who asks; the address costs something and is read only where it is needed. */
export interface Client {
  readonly address: string
}

export interface Load {
  /** Throws ServiceUnavailableError when a request that begins now has to be refused. */
  admit(): void
  /**
   * Undefined: the request of a client may begin now. Otherwise it begins when the promise resolves, in a turn of the event
   * loop of its own: a heavy answer was made in this one, or too many answers wait for their readers. Rejects with
   * ServiceUnavailableError if there is no room for too long.
   */
  turnFor(client: Client): Promise<void> | undefined
  /** Counts an answer to the client; `disconnect` ends its connection if it reads too slowly. */
  openAnswer(client: Client, disconnect: () => void): UnsentResponse
  /** `begin` and `end` count the running requests. */
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
    late = eventLoopDelay > 0 && now - looked - LOOK_EVERY >= eventLoopDelay ? late + 1 : 0
    looked = now
    if (refused === 0 || now - lastRefusal < QUIET) return
    const lasted = ((lastRefusal - firstRefusal) / 1000).toFixed(1)
    warn(`no longer overloaded: ${refused} requests were answered 503 within ${lasted} s`)
    refused = 0
  }
  const timer = setInterval(look, LOOK_EVERY).unref()

  // Made once: a refusal must cost little, and most of an error is its stack.
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
    refuse(`${unsent.held} bytes of answers wait for clients that do not read them`)
  }

  async function waitForTurn(client: Client): Promise<void> {
    const until = performance.now() + MAX_WAIT_FOR_ROOM_MS
    // Each looks in a turn of its own, and an answer that is made there counts for the next one.
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
