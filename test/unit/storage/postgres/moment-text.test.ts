import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatDay,
  formatMoment,
  parseDay,
  parseMoment,
} from '../../../../src/storage/drivers/postgres/moment-text.ts'
import { ask, postgresHere } from '../../../support/postgres.ts'

const here = await postgresHere()

test.each([
  ['2024-03-01 10:00:00.123+00', Date.UTC(2024, 2, 1, 10, 0, 0, 123)],
  ['2024-03-01 10:00:00+00', Date.UTC(2024, 2, 1, 10)],
  ['2024-03-01 10:00:00.5+05:30', Date.UTC(2024, 2, 1, 4, 30, 0, 500)],
  ['0001-01-01 00:00:00+00', Date.parse('0001-01-01T00:00:00Z')],
  ['0044-03-15 12:00:00+00 BC', Date.parse('-000043-03-15T12:00:00Z')],
  ['12024-03-01 00:00:00+00', Date.parse('+012024-03-01T00:00:00Z')],
])('%s is read', (text, moment) => {
  expect(parseMoment(text)).toBe(moment)
})

test.each([
  ['0000-02-29', '0001-02-29 BC'],
  ['2024-02-29', '2024-02-29'],
  ['0001-01-01', '0001-01-01'],
])('the day %s is %s', (ours, theirs) => {
  expect(formatDay(ours)).toBe(theirs)
  expect(parseDay(theirs)).toBe(ours)
})

describe.skipIf(here === undefined)('PostgreSQL', () => {
  test('reads and writes moments as we do', async () => {
    // From 4713 BC, where its calendar begins, to where a Date ends.
    const moments = fc.sample(fc.integer({ min: -210_866_803_200_000, max: 8.64e15 }), 300)
    const list = moments.map((moment) => `('${formatMoment(moment)}'::timestamptz(3))`).join(',')
    const rows = await ask(here ?? '', `select moment::text from (values ${list}) as moments (moment)`)
    expect(rows.map(([text]) => parseMoment(String(text)))).toEqual(moments)
  })
})
