// Watches whether the database server answers, for `/_ready` and the log.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import type { Log } from '../observe/log/create-log.ts'

const TIMEOUT_MS = 1000
const RETRY_INTERVAL_MS = 500
const LOG_INTERVAL_MS = 60_000

export interface OutageWatch {
  /** Safe to show to anyone; takes at most a second. */
  check(): string | undefined | Promise<string | undefined>
  /**
   * Called when a connection broke or could not be opened. `lost`: why an idle one broke; logged if the
   * server itself still answers.
   */
  suspect(lost?: string): void
  close(): void
}

interface OutageOptions {
  ping(limit: number): Promise<void>
  readonly log: Pick<Log, 'error' | 'warn'>
  now?(): number
}

const AWAY = 'the database cannot be reached'

export function watchOutages({ ping, log, now = () => performance.now() }: OutageOptions): OutageWatch {
  let asking: Promise<void> | undefined
  let since: number | undefined
  let remindAt = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function ask(): Promise<void> {
    asking ??= ping(TIMEOUT_MS)
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
      remindAt = since + LOG_INTERVAL_MS
      log.error({ error }, AWAY)
    } else if (now() >= remindAt) {
      log.error({ error }, `${AWAY}, for ${seconds(now() - since)} now`)
      remindAt += LOG_INTERVAL_MS
    }
    timer = setTimeout(() => void ask(), RETRY_INTERVAL_MS).unref()
  }

  return {
    check() {
      // During an outage, the timer checks the server.
      if (since !== undefined) return AWAY
      return ask().then(() => (since === undefined ? undefined : AWAY))
    },
    suspect(lost) {
      if (since !== undefined || closed) return
      void ask().then(() => {
        if (lost === undefined || since !== undefined || closed) return
        log.warn(`a connection to the database is lost: ${lost}`)
      })
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
