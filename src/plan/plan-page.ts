// Turns `pagination` into a page, with defaults and limits.

import type { PaginationInput } from './params.ts'
import type { Page } from './read-plan.ts'

export interface PageLimits {
  readonly defaultLimit: number
  /** Null: unlimited. */
  readonly maxLimit: number | null
  readonly withCount: boolean
  /** Whether one more entry is read when `maxLimit` cuts the requested page. */
  readonly showsCuts?: boolean
}

const unlimited: PageLimits = { defaultLimit: Number.MAX_SAFE_INTEGER, maxLimit: null, withCount: false }

/** `limit: -1` requests all entries. */
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

/** -1: all. */
export function getLimit(page: Page): number {
  return page.kind === 'offset' ? page.limit : page.pageSize
}

/** -1: all. */
export function getReadLimit(page: Page): number {
  return getLimit(page) + (page.readsOneMore === true ? 1 : 0)
}

export function getOffset(page: Page): number {
  if (page.kind === 'after') return 0
  return page.kind === 'page' ? (page.page - 1) * page.pageSize : page.start
}
