// What an answer shows more than once is written once. Encoders join texts with `+=`: V8 keeps such a text as references to
// its parts until it is sent, so that the text of an entry which stands a thousand times in an answer is held once.

import type { EntryRow } from './entry.ts'

/** The same encoder, asked once for each entry of a level. */
export function encodeOnce(encode: (entry: EntryRow) => string): (entry: EntryRow) => string {
  return (entry) => {
    if (entry.shown === 1) return encode(entry)
    entry.texts ??= new Map()
    let text = entry.texts.get(encode)
    if (text === undefined) {
      text = encode(entry)
      entry.texts.set(encode, text)
    }
    return text
  }
}
