// `pagination` -> the requested page, of a list at the root or within an entry.

import { ApiError } from '../../../lib/errors/api-error.ts'
import type { NumberedPage } from '../../../plan/params.ts'
import { getLimit, getOffset } from '../../../plan/plan-page.ts'
import type { Page } from '../../../plan/read-plan.ts'

interface PaginationArgument {
  readonly page?: number | null
  readonly pageSize?: number | null
  readonly start?: number | null
  readonly limit?: number | null
}

/** Throws PaginationError. */
export function getPage(args: Readonly<Record<string, unknown>>): NumberedPage | undefined {
  return parsePagination(args['pagination'] as PaginationArgument | null | undefined)
}

/** Throws PaginationError if `page` and `start` are mixed. */
function parsePagination(given: PaginationArgument | null | undefined): NumberedPage | undefined {
  const { page, pageSize, start, limit } = given ?? {}
  const byPage = isGiven(page) || isGiven(pageSize)
  const byOffset = isGiven(start) || isGiven(limit)
  if (byPage && byOffset) {
    throw new ApiError('PaginationError', 'Cannot use both page & offset pagination in the same query')
  }
  if (byOffset) {
    return { kind: 'offset', ...(isGiven(start) ? { start } : {}), ...(isGiven(limit) ? { limit } : {}) }
  }
  if (!byPage) return undefined
  return { kind: 'page', ...(isGiven(page) ? { page } : {}), ...(isGiven(pageSize) ? { pageSize } : {}) }
}

function isGiven(value: number | null | undefined): value is number {
  return value !== null && value !== undefined
}

export interface GraphqlLimits {
  /** Applies without `pagination`. */
  readonly defaultLimit: number
  /** Entries per list; null: no limit. */
  readonly maxLimit: number | null
  /** Whether responses name the lists that `maxLimit` cuts. */
  readonly showsCuts?: boolean
}

/** `meta.pagination` is always in pages, even if the request used `start` and `limit`. */
export function getPagination(page: Page, total: number): Readonly<Record<string, number>> {
  const limit = getLimit(page)
  const pageSize = limit === -1 ? total : limit
  return {
    total,
    page: page.kind === 'page' ? page.page : Math.floor(getOffset(page) / Math.max(1, pageSize)) + 1,
    pageSize,
    pageCount: pageSize === 0 ? 0 : Math.ceil(total / pageSize),
  }
}
