// All reads of one request share one budget: those of every field of every operation in a batch.

import {
  type AnswerBudget,
  type AnswerHolder,
  createAnswerBudget,
} from '../../../query/rows/answer-budget.ts'

/** A key of the request itself: an entry of a WeakMap for each request made the garbage collector slower. */
const BUDGET = Symbol('budget')

interface BudgetedContext {
  [BUDGET]?: AnswerBudget
}

/** `context` belongs to one operation; the operations of a batch share its `request`. */
export function getBudget(context: object): AnswerBudget {
  const { request } = context as { readonly request?: BudgetedContext & AnswerHolder }
  const budgeted: BudgetedContext = request ?? context
  budgeted[BUDGET] ??= createAnswerBudget(request)
  return budgeted[BUDGET]
}
