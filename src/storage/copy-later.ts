// Makes snapshots of a memory database after a start or reload, without delaying it.

import { clearTimeout, setTimeout } from 'node:timers'
import type { Log } from '../observe/log/create-log.ts'
import type { Database } from './database.ts'

/** Milliseconds after the start or a reload. */
const COPY_DELAY_MS = 250

export function copyLater(
  { copies }: Pick<Database, 'copies'>,
  log: Log,
): { schedule(): void; cancel(): void } {
  let timer: NodeJS.Timeout | undefined

  function copy(): void {
    if (copies?.writing === true) {
      schedule()
      return
    }
    try {
      copies?.snapshot()
    } catch (error) {
      log.warn({ error }, 'no snapshot of the memory database could be made')
    }
  }

  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(copy, COPY_DELAY_MS)
    timer.unref()
  }

  return { schedule, cancel: () => clearTimeout(timer) }
}
