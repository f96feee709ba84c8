// What a read adds to the budget of its answer.

import { expect, test } from 'vitest'
import { planLimits } from '../../../src/plan/planning.ts'
import { createRequestBudget } from '../../../src/query/rows/request-budget.ts'

test('a read that begins again is counted once', () => {
  const budget = createRequestBudget()
  const other = budget.part()
  other.add(10, 10, 100)
  const part = budget.part()
  const left = planLimits.rows - 10
  for (let time = 0; time < 3; time++) {
    part.again()
    expect(budget.rowsLeft(1)).toBe(left)
    part.add(left, left, 1000)
    expect(budget.rowsLeft(1)).toBe(0)
  }
  expect(() => other.add(1, 1, 1)).toThrow('entries and components in one response')
})

test('only its own part is taken back', () => {
  const budget = createRequestBudget()
  const [first, second] = [budget.part(), budget.part()]
  first.add(planLimits.rows - 1, planLimits.rows - 1, 0)
  second.add(1, 1, 0)
  second.again()
  second.add(1, 1, 0)
  expect(budget.rowsLeft(1)).toBe(0)
})
