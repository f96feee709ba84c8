// sort -> paths and directions: `a`, `a:desc,b`, lists of these, `{ a: 'desc' }`, nested objects.

import type { SortInput } from '../plan/params.ts'
import { invalidOrder, isDescending, parseSortText } from '../plan/parse-sort-text.ts'
import { isQueryObject, type QueryValue } from './query-string.ts'

export function parseSort(value: QueryValue): readonly SortInput[] {
  if (typeof value === 'string') return parseSortText(value)
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((element) => parseSort(element))
  return isQueryObject(value) ? parseObject(value, []) : []
}

function parseObject(object: { readonly [key: string]: QueryValue }, above: readonly string[]): SortInput[] {
  return Object.entries(object).flatMap(([key, value]): readonly SortInput[] => {
    const path = [...above, ...key.split('.')]
    if (isQueryObject(value)) return parseObject(value, path)
    if (typeof value !== 'string') throw invalidOrder()
    return [{ path, descending: isDescending(value) }]
  })
}
