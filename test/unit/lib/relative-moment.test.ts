// Moments seen from a clock.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRelativeMoment, parseTimeOfDay } from '../../../src/lib/relative-moment.ts'

const now = Date.parse('2024-02-28T13:14:15.016Z')

test.each([
  ['now', '2024-02-28T13:14:15.016Z'],
  ['now-2h', '2024-02-28T11:14:15.016Z'],
  ['now + 1.5h - 30m', '2024-02-28T14:14:15.016Z'],
  ['now+90s', '2024-02-28T13:15:45.016Z'],
  ['today', '2024-02-28T00:00:00.000Z'],
  ['tomorrow', '2024-02-29T00:00:00.000Z'],
  ['yesterday 7:05', '2024-02-27T07:05:00.000Z'],
  ['today+7d 20:00', '2024-03-06T20:00:00.000Z'],
  ['  today-1w 23:59:59 ', '2024-02-21T23:59:59.000Z'],
  ['today+26h 01:00', '2024-02-29T01:00:00.000Z'],
  ['now 20:00', undefined],
  ['today 24:00', undefined],
  ['today+7', undefined],
  ['today+7x', undefined],
  ['today+7d+', undefined],
  ['today+999999999d', undefined],
  ['Today', undefined],
  ['2024-02-28', undefined],
  ['', undefined],
])('%s', (text, expected) => {
  const moment = parseRelativeMoment(text, now)
  expect(moment === undefined ? undefined : new Date(moment).toISOString()).toBe(expected)
})

test.each([
  ['19:00', 68_400_000],
  ['7:30:15', 27_015_000],
  ['00:00', 0],
  ['24:00', undefined],
  ['19', undefined],
  ['19:60', undefined],
])('the time %s', (text, expected) => {
  expect(parseTimeOfDay(text)).toBe(expected)
})

test('a step forth and back is no step; time is linear in the length of the text', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999 }),
      fc.constantFrom('ms', 's', 'm', 'h', 'd', 'w'),
      (count, unit) => {
        expect(parseRelativeMoment(`now+${count}${unit}-${count}${unit}`, now)).toBe(now)
      },
    ),
  )
  expect(parseRelativeMoment(`now${'+1d '.repeat(100_000)}!`, now)).toBeUndefined()
})
