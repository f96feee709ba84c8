// Encodes large texts as UTF-8 without blocking the event loop.

import { runInPieces } from './in-pieces.ts'

/** Characters; takes a millisecond or two. */
export const MIN_LARGE_CHARACTERS = 1024 * 1024

const PIECE_CHARACTERS = 128 * 1024

const encoder = new TextEncoder()

/** Equals `Buffer.from(text)`. */
export async function encodeText(text: string): Promise<Buffer> {
  let length = 0
  await runInPieces(text.length, (start) => {
    const end = endOfPiece(text, start)
    length += Buffer.byteLength(text.slice(start, end))
    return end
  })
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  await runInPieces(text.length, (start) => {
    const end = endOfPiece(text, start)
    at += encoder.encodeInto(text.slice(start, end), bytes.subarray(at)).written
    return end
  })
  return bytes
}

/** Half of a surrogate pair would become a replacement character. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE_CHARACTERS
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end
}
