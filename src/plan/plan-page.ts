// Turns `pagination` into the page to show, with defaults and limits applied.

import type { PaginationInput } from './params.ts'
import type { Page } from './read-plan.ts'

export interface PageLimits {
  readonly defaultLimit: number
  /** Null: no limit. */
  readonly maxLimit: number | null
  readonly withCount: boolean
}

const unlimited: PageLimits = { defaultLimit: Number.MAX_SAFE_INTEGER, maxLimit: null, withCount: false }

/** `limit: -1` asks for everything. Without `limits`, the page is as requested; if none is requested, everything. */
export function planPage(input: PaginationInput | undefined, limits: PageLimits = unlimited): Page {
  const withCount = input?.withCount ?? limits.withCount
  if (input?.kind === 'offset') {
    const start = Math.max(0, input.start ?? 0)
    return { kind: 'offset', start, limit: offsetLimit(input.limit, limits), withCount }
  }
  const pageSize = capped(Math.max(1, input?.pageSize ?? limits.defaultLimit), limits.maxLimit)
  if (input?.kind === 'after') return { kind: 'after', pageSize, withCount }
  const page = Math.max(1, input?.page ?? 1)
  return { kind: 'page', page, pageSize, withCount }
}

function offsetLimit(asked: number | undefined, limits: PageLimits): number {
  if (asked === -1) return limits.maxLimit ?? -1
  return capped(Math.max(1, asked ?? limits.defaultLimit), limits.maxLimit)
}

function capped(size: number, maxLimit: number | null): number {
  return maxLimit === null ? size : Math.min(size, maxLimit)
}

/** How many entries a page shows; -1: all. */
export function limitOf(page: Page): number {
  return page.kind === 'offset' ? page.limit : page.pageSize
}

/** How many entries come before the page. */
export function offsetOf(page: Page): number {
  if (page.kind === 'after') return 0
  return page.kind === 'page' ? (page.page - 1) * page.pageSize : page.start
}
