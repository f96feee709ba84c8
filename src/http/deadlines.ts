// Deadlines of requests, all checked by one timer.

import { performance } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'

export interface Deadline {
  /** On the clock of `performance.now()`. */
  deadline: number
  expire(): void
}

export interface Deadlines {
  add(item: Deadline): void
  remove(item: Deadline): void
  stop(): void
}

/** Items expire at most one `interval` (milliseconds) late. */
export function createDeadlines(interval: number): Deadlines {
  const items = new Set<Deadline>()
  let timer: NodeJS.Timeout | undefined

  function sweep(): void {
    const now = performance.now()
    for (const item of items) {
      if (item.deadline > now) continue
      items.delete(item)
      item.expire()
    }
    if (items.size === 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(item) {
      items.add(item)
      timer ??= setInterval(sweep, interval).unref()
    },
    remove(item) {
      items.delete(item)
    },
    stop,
  }
}
