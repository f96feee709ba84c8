import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteList } from '../../../src/lib/byte-list.ts'

const chunk = fc.oneof(
  fc.uint8Array({ maxLength: 3 }),
  fc.uint8Array({ maxLength: 300 }),
  fc.integer({ min: 16_000, max: 50_000 }).map((length) => new Uint8Array(length).fill(length)),
)

test('bytes come out as they went in, taken or joined at any time', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: chunk },
    { weight: 1, arbitrary: fc.constantFrom('take' as const, 'joined' as const, 'clear' as const) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const list = new ByteList()
      let expected = Buffer.alloc(0)
      for (const next of steps) {
        if (next === 'take') {
          const taken = list.take()
          const length = taken?.length ?? 0
          expect(Buffer.from(taken ?? []).equals(expected.subarray(0, length))).toBe(true)
          if (expected.length > 0) expect(taken).toBeDefined()
          expected = expected.subarray(length)
        } else if (next === 'joined') {
          expect(Buffer.from(list.joined()).equals(expected)).toBe(true)
        } else if (next === 'clear') {
          list.clear()
          expected = Buffer.alloc(0)
        } else {
          list.add(next)
          expected = Buffer.concat([expected, next])
        }
        expect(list.length).toBe(expected.length)
      }
      expect(Buffer.from(list.joined()).equals(expected)).toBe(true)
    }),
  )
})

test('single bytes lie together', () => {
  const list = new ByteList()
  for (let count = 0; count < 100_000; count += 1) list.add(new Uint8Array([count % 251]))
  let pieces = 0
  while (list.take() !== undefined) pieces += 1
  expect(pieces).toBeLessThan(10)
})
