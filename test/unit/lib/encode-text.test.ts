import { setImmediate } from 'node:timers'
import { expect, test } from 'vitest'
import { encodeText } from '../../../src/lib/encode-text.ts'
import { runInPieces } from '../../../src/lib/in-pieces.ts'

const PIECE = 128 * 1024

test.each([
  ['nothing', ''],
  ['ASCII', 'abc'.repeat(PIECE)],
  ['Latin-1', 'é'.repeat(PIECE * 2 + 1)],
  ['letters of three bytes', '→'.repeat(PIECE + 1)],
  ['a pair across the end of a piece', `${'a'.repeat(PIECE - 1)}😀${'b'.repeat(PIECE)}`],
  ['a pair across the end of the text', `${'a'.repeat(PIECE - 1)}😀`],
  ['half a pair at the end of a piece', `${'a'.repeat(PIECE - 1)}\ud83d${'b'.repeat(PIECE)}`],
  ['half a pair at the end', `${'a'.repeat(PIECE - 1)}\ud83d`],
])('%s: the same bytes as at once', async (_name, text) => {
  expect((await encodeText(text)).equals(Buffer.from(text))).toBe(true)
})

test('others get the event loop between two pieces', async () => {
  const seen: string[] = []
  setImmediate(() => seen.push('another'))
  await runInPieces(2, (start) => {
    const until = performance.now() + 10
    while (performance.now() < until);
    seen.push(`piece ${start}`)
    return start + 1
  })
  expect(seen).toEqual(['piece 0', 'another', 'piece 1'])
})
