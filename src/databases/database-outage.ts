// Whether the server of the database answers, for `/_ready` and for the log: the beginning of an outage, that it lasts,
// at growing intervals, and its end. Whoever met a broken connection says so; then the server is asked.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import type { Log } from '../log/create-log.ts'

/** Milliseconds that the server has for an answer to whoever asks whether it is there. */
const PATIENCE = 1000
/** Milliseconds between two questions while it is away. */
const ASK_AGAIN = 1000
/** Milliseconds until the log says that it is still away, times two each time. */
const FIRST_REMINDER = 10_000
const LONGEST_REMINDER = 600_000

export interface OutageWatch {
  /** Why the database cannot be used, in words for everybody; takes a second at most. */
  check(): string | undefined | Promise<string | undefined>
  /** A connection broke, or could not be made: perhaps the server is away. */
  suspect(): void
  close(): void
}

export interface OutageParts {
  /** Rejects when the server does not answer in so many milliseconds. */
  ping(limit: number): Promise<void>
  readonly log: Pick<Log, 'error' | 'warn'>
  now?(): number
}

const AWAY = 'the database cannot be reached'

export function watchOutages({ ping, log, now = () => performance.now() }: OutageParts): OutageWatch {
  let asking: Promise<void> | undefined
  /** Since when it is away. */
  let since: number | undefined
  let reminder = FIRST_REMINDER
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function ask(): Promise<void> {
    asking ??= ping(PATIENCE)
      .then(isThere, isAway)
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  function isThere(): void {
    if (since === undefined || closed) return
    log.warn(`the database answers again after ${seconds(now() - since)}`)
    since = undefined
    clearTimeout(timer)
  }

  function isAway(error: unknown): void {
    if (closed) return
    if (since === undefined) {
      since = now()
      reminder = FIRST_REMINDER
      log.error({ error }, AWAY)
    } else if (now() - since >= reminder) {
      log.error({ error }, `${AWAY}, for ${seconds(now() - since)} now`)
      reminder = Math.min(reminder * 2, reminder + LONGEST_REMINDER)
    }
    timer = setTimeout(() => void ask(), ASK_AGAIN).unref()
  }

  return {
    check() {
      // It is asked again all the time.
      if (since !== undefined) return AWAY
      return ask().then(() => (since === undefined ? undefined : AWAY))
    },
    suspect() {
      if (since === undefined && !closed) void ask()
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
