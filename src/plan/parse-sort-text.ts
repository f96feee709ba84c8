// Parses sort keys such as `a` or `a:desc,b.c`, in the syntax of every API.

import { ApiError } from '../lib/errors/api-error.ts'
import type { SortInput } from './params.ts'

export function parseSortText(text: string): readonly SortInput[] {
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

export function isDescending(order: string): boolean {
  const word = order.toLowerCase()
  if (word !== 'asc' && word !== 'desc') throw createInvalidOrder()
  return word === 'desc'
}

export function createInvalidOrder(): ApiError {
  return new ApiError('ValidationError', 'Invalid order. order can only be one of asc|desc|ASC|DESC')
}
