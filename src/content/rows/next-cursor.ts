// The cursor behind the last entry of a page.

import { attributeTypes } from '../../attribute-types/attribute-types.ts'
import { formatCursor } from '../../plan/cursor.ts'
import type { Page, ReadPlan } from '../../plan/read-plan.ts'
import type { EntryRow } from './entry.ts'

/** Null behind the last page; undefined for a list that was not asked for by cursor. */
export function nextCursor(
  { columns, locales, keyset }: ReadPlan,
  page: Page,
  entries: readonly EntryRow[],
): string | null | undefined {
  if (page.kind !== 'after' || keyset === undefined) return undefined
  const last = entries.at(-1)
  if (last === undefined || entries.length < page.pageSize) return null
  const start = last.at + 1 + columns.length + (locales === undefined ? 0 : 1)
  const values = keyset.attributes.map(({ type }, index) => {
    const stored = last.row[start + index]
    return stored === null || stored === undefined ? 'null' : attributeTypes[type].toJson(stored)
  })
  return formatCursor(keyset.mark, values)
}
