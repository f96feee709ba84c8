// All reads of one request share one budget: those of every field of every operation in a batch.

import {
  type BudgetSource,
  createRequestBudget,
  type RequestBudget,
} from '../../../query/rows/request-budget.ts'

/** A key of the request itself: an entry of a WeakMap for each request made the garbage collector slower. */
const BUDGET = Symbol('budget')

interface BudgetedContext {
  [BUDGET]?: RequestBudget
}

/** `context` belongs to one operation; the operations of a batch share its `request`. */
export function getBudget(context: object): RequestBudget {
  const { request } = context as { readonly request?: BudgetedContext & BudgetSource }
  const budgeted: BudgetedContext = request ?? context
  budgeted[BUDGET] ??= createRequestBudget(request)
  return budgeted[BUDGET]
}
