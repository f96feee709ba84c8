// Encodes an entry once even if an answer shows it many times. Encoders join texts with `+=`: V8 keeps such a text as
// references to its parts until it is sent, so the text of an entry that is shown a thousand times is in memory once.

import type { EntryRow } from './entry.ts'

/** Wraps an encoder so that it runs once for each entry of a level. */
export function encodeOnce(encode: (entry: EntryRow) => string): (entry: EntryRow) => string {
  return (entry) => {
    if (entry.shown === 1) return encode(entry)
    for (let each = entry.written; each !== undefined; each = each.next)
      if (each.encode === encode) return each.text
    const text = encode(entry)
    entry.written = { encode, text, next: entry.written }
    return text
  }
}
