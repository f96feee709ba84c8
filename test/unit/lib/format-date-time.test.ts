import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDateTime } from '../../../src/lib/format-date-time.ts'

test('writes every moment as Date.toISOString does', () => {
  const moment = fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.getTime()),
    fc.constantFrom(
      0,
      -1,
      1,
      86_399_999,
      86_400_000,
      -86_400_000,
      8.64e15,
      -8.64e15,
      253402300800000,
      -62167219200001,
    ),
  )
  fc.assert(
    fc.property(moment, moment, (milliseconds, other) => {
      // The last one is remembered.
      for (const each of [milliseconds, milliseconds, other, milliseconds])
        expect(formatDateTime(each)).toBe(new Date(each).toISOString())
    }),
    { numRuns: 20_000 },
  )
})
