// Collects lines that are written together: after a moment, or when there are many.

import { clearTimeout, setTimeout } from 'node:timers'

export interface LineCollector {
  add(line: string): void
  /** Writes what has been collected. */
  flush(): void
}

/** Milliseconds that a line waits at most. */
const LONGEST_WAIT = 100
/** Characters that wait at most. */
const MOST = 16 * 1024

export function collectLines(write: (text: string) => void): LineCollector {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    if (waiting === '') return
    clearTimeout(timer)
    timer = undefined
    const text = waiting
    waiting = ''
    write(text)
  }

  return {
    add(line) {
      waiting += line
      if (waiting.length >= MOST) flush()
      else timer ??= setTimeout(flush, LONGEST_WAIT)
    },
    flush,
  }
}
