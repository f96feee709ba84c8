import { expect, test } from 'vitest'
import { pluralOf } from '../../../src/config/plural-of.ts'

test.each([
  ['restaurant', 'restaurants'],
  ['category', 'categories'],
  ['day', 'days'],
  ['guy', 'guys'],
  ['dish', 'dishes'],
  ['branch', 'branches'],
  ['box', 'boxes'],
  ['address', 'addresses'],
  ['quiz', 'quizzes'],
  ['hero', 'heros'],
  ['person', 'persons'],
  ['daily-special', 'daily-specials'],
  ['opening-day', 'opening-days'],
  ['y', 'ys'],
  ['x-y', 'x-ys'],
  ['top10', 'top10s'],
])('%s -> %s', (name, plural) => {
  expect(pluralOf(name)).toBe(plural)
})
