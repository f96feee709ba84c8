// One request has one budget, however many fields of however many operations of a batch read for it.

import { type AnswerBudget, createAnswerBudget } from '../../../content/answer-budget.ts'

const budgets = new WeakMap<object, AnswerBudget>()

/** `context` is of one operation alone; the operations of a batch share its `request`. */
export function budgetOf(context: object): AnswerBudget {
  const { request = context } = context as { readonly request?: object }
  let budget = budgets.get(request)
  if (budget === undefined) {
    budget = createAnswerBudget()
    budgets.set(request, budget)
  }
  return budget
}
