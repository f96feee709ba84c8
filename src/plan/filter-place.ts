// The planner's position in `filters`, and checks of the values found there.

import { ApiError } from '../errors/api-error.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { isRecord } from '../util/is-record.ts'
import { operatorNames, operators } from './operators.ts'
import { operatorsElsewhere } from './operators-elsewhere.ts'
import { type Planning, planLimits, tooMuch } from './planning.ts'

export interface FilterContext {
  readonly planning: Planning
  readonly hops: number
  readonly nesting: number
}

/** `$null` and `$notNull`: `false`, `0` and the empty text mean no; a missing value is refused. */
export function truthOf(operand: unknown, name: string): boolean {
  if (operand === null || typeof operand === 'object') {
    throw new ApiError('ValidationError', `Operator ${name} needs true or false`)
  }
  return !(operand === false || operand === 0 || operand === 'false' || operand === '0' || operand === '')
}

export function deeper(place: FilterContext): FilterContext {
  if (place.nesting >= planLimits.nesting) throw tooMuch('levels of $and, $or and $not', planLimits.nesting)
  return { ...place, nesting: place.nesting + 1 }
}

export function assertListLength(list: readonly unknown[]): void {
  if (list.length > planLimits.listLength) throw tooMuch('values in a list', planLimits.listLength)
}

/** Whether a value under a relation compares the related entry's id: operators, also under `$not`, or a plain value. */
export function comparesId(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(comparesId)
  if (!isRecord(value)) return true
  return Object.entries(value).some(([key, operand]) =>
    key === '$not' ? comparesId(operand) : operators.has(key),
  )
}

export function unknownOperator(name: string): ApiError {
  const ours = operatorsElsewhere.get(name.toLowerCase())
  if (ours !== undefined) {
    return new ApiError('ValidationError', `Invalid parameter ${name}: no such operator, use ${ours}`)
  }
  const nearest = didYouMean(name.startsWith('$') ? name : `$${name}`, operatorNames)
  const hint = nearest === undefined ? '' : `, did you mean ${nearest}?`
  return new ApiError('ValidationError', `Invalid parameter ${name}: no such operator${hint}`)
}
