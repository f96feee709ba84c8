// Parts that users' middlewares added to a request: filters and names in `data`, which apply with the
// server's rights.

import { everyPermission } from '../access/principal.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Params } from '../plan/params.ts'
import { createRequestBudget, type RequestBudget } from '../query/rows/request-budget.ts'

interface RequestAdditions {
  readonly filters: Readonly<Record<string, unknown>> | undefined
  readonly data: ReadonlySet<string> | undefined
}

const getParts = new WeakMap<HttpRequest, RequestAdditions>()

/** `before`: the request as other code, which ran earlier, has changed it. */
export function addToRequest(request: HttpRequest, added: RequestAdditions, before: HttpRequest): void {
  const { filters, data } = getParts.get(before) ?? {}
  const both = [filters, added.filters].filter((one) => one !== undefined)
  getParts.set(request, {
    filters: both.length > 1 ? { $and: both } : both[0],
    data: data === undefined ? added.data : new Set([...data, ...(added.data ?? [])]),
  })
  const budget = budgets.get(before)
  if (budget !== undefined) budgets.set(request, budget)
}

/** Whether users' code runs before or after the handler. */
export function isCustomized(request: HttpRequest): boolean {
  return getParts.has(request)
}

export function ownData(request: HttpRequest): ReadonlySet<string> | undefined {
  return getParts.get(request)?.data
}

export function ownFilters(request: HttpRequest): Params['own'] | undefined {
  const filters = getParts.get(request)?.filters
  return filters === undefined ? undefined : { filters, access: everyPermission }
}

const budgets = new WeakMap<HttpRequest, RequestBudget>()

/** The operations of a batch share the budget of one response. */
export function shareBudget(request: HttpRequest, budget: RequestBudget): void {
  budgets.set(request, budget)
}

export function getRequestBudget(request: HttpRequest): RequestBudget {
  return budgets.get(request) ?? createRequestBudget(request)
}
