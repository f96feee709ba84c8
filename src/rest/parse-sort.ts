// sort -> paths and directions (BEHAVIOUR 4): `a`, `a:desc,b`, lists of these, `{ a: 'desc' }`, nested objects.

import { ApiError } from '../errors/api-error.ts'
import type { SortInput } from '../plan/params.ts'
import { isQueryObject, type QueryValue } from './query-string.ts'

export function parseSort(value: QueryValue): readonly SortInput[] {
  if (typeof value === 'string') return parseList(value)
  if (value === null) return []
  if (Array.isArray(value)) return value.flatMap((element) => parseSort(element))
  return isQueryObject(value) ? parseObject(value, []) : []
}

function parseList(text: string): readonly SortInput[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseOne)
}

function parseOne(text: string): SortInput {
  const [path = '', order] = text.split(':').map((part) => part.trim())
  return { path: path.split('.'), descending: order === undefined ? false : isDescending(order) }
}

function parseObject(object: { readonly [key: string]: QueryValue }, above: readonly string[]): SortInput[] {
  return Object.entries(object).flatMap(([key, value]): readonly SortInput[] => {
    const path = [...above, ...key.split('.')]
    if (isQueryObject(value)) return parseObject(value, path)
    if (typeof value !== 'string') throw invalidOrder()
    return [{ path, descending: isDescending(value) }]
  })
}

function isDescending(order: string): boolean {
  const word = order.toLowerCase()
  if (word !== 'asc' && word !== 'desc') throw invalidOrder()
  return word === 'desc'
}

function invalidOrder(): ApiError {
  return new ApiError('ValidationError', 'Invalid order. order can only be one of asc|desc|ASC|DESC')
}
