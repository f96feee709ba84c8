// The pages of a list are understood once: a query string without its page, and the page, which only changes values of the
// plan (decision 0326).

import type { Permissions } from '../auth/principal.ts'
import type { PreparedList } from '../content/content.ts'
import type { NumberedPage } from '../plan/params.ts'

/** What was understood of a list's query string. */
export interface UnderstoodList {
  readonly prepared: PreparedList
  /** Whether the query string says something about the page. */
  readonly paged: boolean
}

type Understand<U> = (query: string, permissions: Permissions) => U

export function sharingPages<U extends UnderstoodList>(understand: Understand<U>): Understand<U> {
  return (query, permissions) => {
    const split = pageOfQuery(query)
    const shared = split && understand(split.rest, permissions)
    if (shared === undefined || shared.paged) return understand(query, permissions)
    return { ...shared, prepared: shared.prepared.turnedTo(split?.pagination) }
  }
}

/** Characters: so short a query string has fewer parameters than are allowed, with and without its page. */
const LONGEST = 1000

const PART = /(?:^|&)pagination(?:\[|%5[Bb])(page|pageSize|start|limit)(?:\]|%5[Dd])=(\d{1,15})(?=&|$)/g

/** Undefined where the query string names no page in the common way, or what is wrong with the page is to be told. */
export function pageOfQuery(
  query: string,
): { readonly rest: string; readonly pagination: NumberedPage } | undefined {
  if (query.length > LONGEST || !query.includes('pagination')) return undefined
  const named: { [name in 'page' | 'pageSize' | 'start' | 'limit']?: number } = {}
  let parts = 0
  const rest = query.replace(PART, (_part, name: keyof typeof named, digits: string) => {
    parts += 1
    named[name] = Number(digits)
    return ''
  })
  if (parts === 0 || Object.keys(named).length < parts) return undefined
  const { page, pageSize, start, limit } = named
  if (pageSize === 0 || limit === 0) return undefined
  const byPage = page !== undefined || pageSize !== undefined
  const byOffset = start !== undefined || limit !== undefined
  if (byPage && byOffset) return undefined
  return { rest, pagination: { kind: byPage ? 'page' : 'offset', ...named } }
}
