// What middlewares of users put into a request themselves, beside it on its way to the handler: filters that are asked with
// the server's rights, and the names of the data that are written with them (decision 0095).

import { everyPermission } from '../auth/principal.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Params } from '../plan/params.ts'

export interface OwnParts {
  readonly filters: Readonly<Record<string, unknown>> | undefined
  readonly data: ReadonlySet<string>
}

const partsOf = new WeakMap<HttpRequest, OwnParts>()

export function keepOwnParts(request: HttpRequest, parts: OwnParts): void {
  partsOf.set(request, parts)
}

/** Names in the payload; undefined: none. */
export function ownData(request: HttpRequest): ReadonlySet<string> | undefined {
  return partsOf.get(request)?.data
}

/** Undefined: the params are what the query string says. */
export function ownFilters(request: HttpRequest): Params['own'] | undefined {
  const filters = partsOf.get(request)?.filters
  return filters === undefined ? undefined : { filters, access: everyPermission }
}
