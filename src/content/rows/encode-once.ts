// Encodes an entry once even if an answer shows it many times. Encoders join texts with `+=`: V8 keeps such a text as
// references to its parts until it is sent, so the text of an entry that is shown a thousand times is in memory once.

import { performance } from 'node:perf_hooks'
import { nextTurn } from '../../util/next-turn.ts'
import type { EntryRow } from './entry.ts'

/** Milliseconds of encoding after which other requests get the event loop. */
const SLICE = 10

/** When the current slice of `encodeInSlices` ends. A global is safe: one encoder runs at a time, within one turn. */
let until = Number.POSITIVE_INFINITY
/** Whether every text is kept, because its slice may have to be written again. */
let keeping = false
/** Thrown through the encoders when the slice is over. */
const OVER = Symbol('the time of a slice is over')

/** Wraps an encoder so that it runs once for each entry of a level. */
export function encodeOnce(encode: (entry: EntryRow) => string): (entry: EntryRow) => string {
  return (entry) => {
    if (entry.shown === 1 && !keeping) {
      const text = encode(entry)
      if (until !== Number.POSITIVE_INFINITY) endSlice()
      return text
    }
    for (let each = entry.written; each !== undefined; each = each.next)
      if (each.encode === encode) return each.text
    const text = joined(encode(entry))
    entry.written = { encode, text, next: entry.written }
    if (until !== Number.POSITIVE_INFINITY) endSlice()
    return text
  }
}

/**
 * Makes one piece of a text of many, now: for all texts of a large answer together, in the turn that sends it, it took
 * 50 ms.
 */
function joined(text: string): string {
  // Reading a character has V8 join the text; no text of ours begins with this one.
  return text.charCodeAt(0) === 0 ? '' : text
}

function endSlice(): void {
  if (performance.now() > until) throw OVER
}

/**
 * Returns what `write` returns, encoded in slices of time between which other requests are served. Each slice calls
 * `write` anew and reuses the texts that `encodeOnce` kept in earlier ones. The first slice keeps only texts of entries
 * that are shown more than once, because most answers are done within it.
 */
export async function encodeInSlices<T>(write: () => T): Promise<T> {
  for (let again = false; ; again = true) {
    try {
      keeping = again
      until = performance.now() + SLICE
      return write()
    } catch (error) {
      if (error !== OVER) throw error
    } finally {
      keeping = false
      until = Number.POSITIVE_INFINITY
    }
    await nextTurn()
  }
}
