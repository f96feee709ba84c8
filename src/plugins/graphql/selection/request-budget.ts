// Shares one read budget among all fields and operations of a request.

import {
  type BudgetSource,
  createRequestBudget,
  type RequestBudget,
} from '../../../query/rows/request-budget.ts'

/** A property of the request: a WeakMap entry for each request slowed the garbage collector. */
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
