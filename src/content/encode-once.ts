// What an answer shows more than once is written once. Encoders join texts with `+=`: V8 keeps such a text as references to
// its parts until it is sent, so that the text of an entry which stands a thousand times in an answer is held once.

import { performance } from 'node:perf_hooks'
import { nextTurn } from '../util/next-turn.ts'
import type { EntryRow } from './entry.ts'

/** Milliseconds of writing after which others get the event loop. */
const SLICE = 10

/** Where an encoder that is asked by `encodeInSlices` ends its slice; encoders run within one turn, one at a time. */
let until = Number.POSITIVE_INFINITY
/** Whether every text is kept, because its slice may have to be written again. */
let keeping = false
/** Thrown through encoders whose time is over. */
const OVER = Symbol('the time of a slice is over')

/** The same encoder, asked once for each entry of a level. */
export function encodeOnce(encode: (entry: EntryRow) => string): (entry: EntryRow) => string {
  return (entry) => {
    if (entry.shown === 1 && !keeping) {
      const text = encode(entry)
      if (until !== Number.POSITIVE_INFINITY) endSlice()
      return text
    }
    for (let each = entry.written; each !== undefined; each = each.next)
      if (each.encode === encode) return each.text
    const text = encode(entry)
    entry.written = { encode, text, next: entry.written }
    if (until !== Number.POSITIVE_INFINITY) endSlice()
    return text
  }
}

function endSlice(): void {
  if (performance.now() > until) throw OVER
}

/**
 * What `write` answers, written in slices of time, between which others are answered. It is called anew for each slice, and
 * what encoders of `encodeOnce` wrote in those before is kept: only a large answer is worth it, and the first slice of
 * every other is its last.
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
