// One operation is one answer, however many of its fields read.

import { type AnswerBudget, createAnswerBudget } from '../../../content/answer-budget.ts'

const budgets = new WeakMap<object, AnswerBudget>()

/** `context` is of one operation alone. */
export function budgetOf(context: object): AnswerBudget {
  let budget = budgets.get(context)
  if (budget === undefined) {
    budget = createAnswerBudget()
    budgets.set(context, budget)
  }
  return budget
}
