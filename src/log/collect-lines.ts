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

/**
 * `textOf`: makes a line at the moment, in epoch milliseconds, at which it was added. `copy`: what waits is copied into a few objects
 * that are used again and again, since to collect garbage around objects that wait costs as much as to make their text.
 */
export function collectLines<T>(
  textOf: (line: T, time: number) => string,
  copy: (line: T, into: T | undefined) => T,
  write: (text: string) => void,
): LineCollector<T> {
  const lines: T[] = []
  const times = new Float64Array(MOST)
  let count = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    writeAll()
  }

  function writeAll(): void {
    if (count === 0) return
    let text = ''
    for (let at = 0; at < count; at++) text += textOf(lines[at] as T, times[at] as number)
    count = 0
    write(text)
  }

  return {
    add(line) {
      lines[count] = copy(line, lines[count])
      times[count] = Date.now()
      count += 1
      // The timer goes on: to clear it and to set another takes as long as to make ten lines.
      if (count >= MOST) writeAll()
      else timer ??= setTimeout(flush, LONGEST_WAIT)
    },
    flush,
  }
}
