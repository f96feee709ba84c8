// Turns `pagination` into the page to show, with defaults and limits applied.

import type { PaginationInput } from './params.ts'
import type { Page } from './read-plan.ts'

export interface PageLimits {
  readonly defaultLimit: number
  /** Null: no limit. */
  readonly maxLimit: number | null
  readonly withCount: boolean
  /** Whether one entry more is read of a page that `maxLimit` makes smaller than the request asks for. */
  readonly showsCuts?: boolean
}

const unlimited: PageLimits = { defaultLimit: Number.MAX_SAFE_INTEGER, maxLimit: null, withCount: false }

/** `limit: -1` asks for everything. Without `limits`, the page is as requested; if none is requested, everything. */
export function planPage(input: PaginationInput | undefined, limits: PageLimits = unlimited): Page {
  const { maxLimit, showsCuts = false } = limits
  const asked = input?.kind === 'offset' ? input.limit : input?.pageSize
  const isWhole = input?.kind === 'offset' && asked === -1
  const size = isWhole ? -1 : Math.max(1, asked ?? limits.defaultLimit)
  const isCapped = maxLimit !== null && (isWhole || size > maxLimit)
  const limit = isCapped ? maxLimit : size
  const common = {
    withCount: input?.withCount ?? limits.withCount,
    ...(isCapped && showsCuts && asked !== undefined && { readsOneMore: true as const }),
  }
  if (input?.kind === 'offset')
    return { kind: 'offset', start: Math.max(0, input.start ?? 0), limit, ...common }
  if (input?.kind === 'after') return { kind: 'after', pageSize: limit, ...common }
  return { kind: 'page', page: Math.max(1, input?.page ?? 1), pageSize: limit, ...common }
}

/** How many entries a page shows; -1: all. */
export function getLimit(page: Page): number {
  return page.kind === 'offset' ? page.limit : page.pageSize
}

/** How many entries are read of a page; -1: all. */
export function getReadLimit(page: Page): number {
  return getLimit(page) + (page.readsOneMore === true ? 1 : 0)
}

/** How many entries come before the page. */
export function getOffset(page: Page): number {
  if (page.kind === 'after') return 0
  return page.kind === 'page' ? (page.page - 1) * page.pageSize : page.start
}
