// Collects lines that are made and written together: after a moment, or when there are many. Lines are made together as well, since
// that takes a third of the time that it takes between two requests, when the processor has forgotten how.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'

export interface LineCollector<T> {
  /** `moment`: on the clock of `performance.now()`. */
  add(line: T, moment: number): void
  /** Writes what has been collected. */
  flush(): void
}

/** Milliseconds that a line waits at most. */
const LONGEST_WAIT = 100
/** Lines that wait at most: some 100 KB. To write costs as much as to make 30 lines. */
const MOST = 512

/** `textOf`: makes a line, given its moment in epoch milliseconds. */
export function collectLines<T>(
  textOf: (line: T, time: number) => string,
  write: (text: string) => void,
): LineCollector<T> {
  const lines: (T | undefined)[] = []
  const moments = new Float64Array(MOST)
  let count = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    writeAll()
  }

  function writeAll(): void {
    if (count === 0) return
    // To read the clock for each line would take a fifth of its time.
    const origin = Date.now() - performance.now()
    let text = ''
    for (let at = 0; at < count; at++) {
      text += textOf(lines[at] as T, Math.round(origin + (moments[at] as number)))
      lines[at] = undefined
    }
    count = 0
    write(text)
  }

  return {
    add(line, moment) {
      lines[count] = line
      moments[count] = moment
      count += 1
      // The timer goes on: to clear it and to set another takes as long as to make ten lines.
      if (count >= MOST) writeAll()
      else timer ??= setTimeout(flush, LONGEST_WAIT)
    },
    flush,
  }
}
