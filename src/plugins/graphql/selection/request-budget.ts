// All reads of one request share one budget: those of every field of every operation in a batch.

import { type AnswerBudget, createAnswerBudget } from '../../../content/answer-budget.ts'

const budgets = new WeakMap<object, AnswerBudget>()

/** `context` belongs to one operation; the operations of a batch share its `request`. */
export function budgetOf(context: object): AnswerBudget {
  const { request = context } = context as { readonly request?: object }
  let budget = budgets.get(request)
  if (budget === undefined) {
    budget = createAnswerBudget()
    budgets.set(request, budget)
  }
  return budget
}
