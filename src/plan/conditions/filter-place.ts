// Checks of the values in `filters`.

import { didYouMean } from '../../lib/did-you-mean.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import { operatorNames, operators } from '../operators.ts'
import { createTooMuch, type PlanContext, planLimits } from '../planning.ts'

export interface FilterContext {
  readonly planning: PlanContext
  readonly hops: number
  readonly nesting: number
}

/** For `$null` and `$notNull`: falsy values and the empty text mean no; a missing value is refused. */
export function isTruth(operand: unknown, name: string): boolean {
  if (operand === null || typeof operand === 'object') {
    throw new ApiError('ValidationError', `Operator ${name} needs true or false`)
  }
  return !NO.has(operand)
}

const NO: ReadonlySet<unknown> = new Set([false, 0, 'false', 'f', '0', ''])

export function deeper(place: FilterContext): FilterContext {
  if (place.nesting >= planLimits.nesting)
    throw createTooMuch('levels of $and, $or and $not', planLimits.nesting)
  return { ...place, nesting: place.nesting + 1 }
}

export function assertListLength(list: readonly unknown[]): void {
  if (list.length > planLimits.listLength) throw createTooMuch('values in a list', planLimits.listLength)
}

/**
 * Whether a value under a relation (a plain value, or operators, also under `$not`) compares the related
 * entry's id.
 */
export function comparesId(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(comparesId)
  if (!isRecord(value)) return true
  return Object.entries(value).some(([key, operand]) =>
    key === '$not' ? comparesId(operand) : operators.has(key),
  )
}

export function createUnknownOperator(name: string): ApiError {
  const ours = operatorsElsewhere.get(name.toLowerCase())
  if (ours !== undefined) {
    return new ApiError('ValidationError', `Invalid parameter ${name}: no such operator, use ${ours}`)
  }
  const nearest = didYouMean(name.startsWith('$') ? name : `$${name}`, operatorNames)
  const hint = nearest === undefined ? '' : `, did you mean ${nearest}?`
  return new ApiError('ValidationError', `Invalid parameter ${name}: no such operator${hint}`)
}

const not = (name: string): string => `$not with ${name}, as in filters[name][$not][${name}]`

/** Lower-case name -> the operator to suggest. */
const operatorsElsewhere: ReadonlyMap<string, string> = new Map([
  ['$neq', '$ne'],
  ['$nin', '$notIn'],
  ['$ina', '$in on the relation, as in filters[tags][id][$in][0]=1, joined by $and'],
  ['$nina', not('$in')],
  ['$nnull', '$notNull'],
  ['$exists', '$notNull'],
  ['$containss', '$contains'],
  ['$ncontains', '$notContainsi'],
  ['$ncontainss', '$notContains'],
  ['$nbetween', not('$between')],
  ['$notbetween', not('$between')],
  ['$startswiths', '$startsWith'],
  ['$nstartswith', not('$startsWithi')],
  ['$nstartswiths', not('$startsWith')],
  ['$notstartswith', not('$startsWith')],
  ['$notstartswithi', not('$startsWithi')],
  ['$endswiths', '$endsWith'],
  ['$nendswith', not('$endsWithi')],
  ['$nendswiths', not('$endsWith')],
  ['$notendswith', not('$endsWith')],
  ['$notendswithi', not('$endsWithi')],
  ['$like', '$contains'],
  ['$ilike', '$containsi'],
  ['$regex', '$contains, $startsWith or $endsWith'],
  ['$nor', '$not with $or, as in filters[$not][$or][0]'],
])
