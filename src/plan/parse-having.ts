// Parses conditions of an aggregate: `{ avg: { rating: { $gt: 3 } } }` as `{ avg.rating: { $gt: 3 } }`.

import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { AggregateInput } from './aggregate-plan.ts'

/** `getOperator`: the operator that a key means, undefined for a name. Throws ValidationError. */
export function parseHaving(
  value: unknown,
  getOperator: (key: string) => string | undefined,
): AggregateInput['having'] {
  if (value === undefined || value === null) return {}
  if (!isRecord(value))
    throw new ApiError('ValidationError', 'Invalid having: expected conditions, such as count greater than 1')
  const having: Record<string, unknown> = {}
  const collect = (given: unknown, path: readonly string[]): void => {
    if (!isRecord(given)) having[path.join('.')] = given
    else if (Object.keys(given).some((key) => getOperator(key) !== undefined))
      having[path.join('.')] = Object.fromEntries(
        Object.entries(given).map(([key, operand]) => [getOperator(key) ?? key, operand]),
      )
    else for (const [name, below] of Object.entries(given)) collect(below, [...path, name])
  }
  collect(value, [])
  return having
}
