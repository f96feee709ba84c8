// Collects lines that are made and written together: after a moment, or when there are many. Lines are made together as well, since
// that takes a third of the time that it takes between two requests, when the processor has forgotten how.

import { clearTimeout, setTimeout } from 'node:timers'

export interface LineCollector<T> {
  add(line: T): void
  /** Writes what has been collected. */
  flush(): void
}

/** Milliseconds that a line waits at most. */
const LONGEST_WAIT = 100
/** Lines that wait at most: some 60 KB, and a fifth of a millisecond to make. */
const MOST = 256

/** `textOf`: makes a line at the moment, in epoch milliseconds, at which it was added. */
export function collectLines<T>(
  textOf: (line: T, time: number) => string,
  write: (text: string) => void,
): LineCollector<T> {
  let waiting: T[] = []
  let times: number[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    writeAll()
  }

  function writeAll(): void {
    if (waiting.length === 0) return
    const text = waiting.map((line, at) => textOf(line, times[at] ?? 0)).join('')
    waiting = []
    times = []
    write(text)
  }

  return {
    add(line) {
      waiting.push(line)
      times.push(Date.now())
      // The timer goes on: to clear it and to set another takes as long as to make ten lines.
      if (waiting.length >= MOST) writeAll()
      else timer ??= setTimeout(flush, LONGEST_WAIT)
    },
    flush,
  }
}
