// The values of expressions and their operations, so that JavaScript and every database agree.

import { parseDateTime } from '../lib/iso-date.ts'
import type { Arithmetic, Type } from './expression.ts'

export type Plain = null | boolean | number | bigint | string | readonly Plain[]

/** Elements of a list of entries stay unchanged, because a loop reads their attributes. */
export type Value = Plain | readonly unknown[]

export function typed(type: Type, value: unknown): Value {
  if (value === undefined || value === null) return null
  switch (type.kind) {
    case 'bool':
      return typeof value === 'boolean' ? value : null
    case 'int':
    case 'number':
      return getNumber(value)
    case 'moment': {
      const parsed = parseDateTime(value instanceof Date ? value.getTime() : value)
      return 'value' in parsed ? parsed.value : null
    }
    case 'text':
    case 'date':
    case 'time':
      return typeof value === 'string' ? value : null
    case 'entry': {
      const id: unknown = typeof value === 'object' && 'id' in value ? value.id : value
      return typeof id === 'number' ? id : null
    }
    case 'entries':
      return Array.isArray(value) ? value : null
    default:
      return null
  }
}

/** Big integers are given as text. */
function getNumber(value: unknown): number | bigint | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return value
  if (typeof value !== 'string' || !/^-?\d{1,30}(?:\.\d{1,30})?$/.test(value)) return null
  const number = Number(value)
  return Number.isSafeInteger(number) || value.includes('.') ? number : BigInt(value)
}

/** The range of operands; outside of it the result is unknown, so that no database overflows. */
export const MIN_NUMBER = 1e-15
export const MAX_NUMBER = 1e16
/** Multiplications and divisions in one expression: the result of this many stays within a double. */
export const MAX_PRODUCTS = 8

export function toCalculable(value: Value): number | null {
  if (typeof value !== 'number' && typeof value !== 'bigint') return null
  return Number(value)
}

export function isInRange(value: number): boolean {
  const size = Math.abs(value)
  return size === 0 || (size >= MIN_NUMBER && size <= MAX_NUMBER)
}

/** Whole numbers are divided without a remainder, towards zero, as in the Common Expression Language and in SQL. */
export function calculate(
  operator: Arithmetic,
  left: number | null,
  right: number | null,
  whole: boolean,
): number | null {
  if (left === null || right === null) return null
  if (operator === '/' && right === 0) return null
  const result =
    operator === '+'
      ? left + right
      : operator === '-'
        ? left - right
        : operator === '*'
          ? left * right
          : left / right
  return (whole && operator === '/' ? Math.trunc(result) : result) + 0
}

export function shift(operator: Arithmetic, moment: Value, duration: Value): number | null {
  if (typeof moment !== 'number' || typeof duration !== 'number') return null
  const result = operator === '-' ? moment - duration : moment + duration
  return Math.abs(result) <= 8.64e15 ? result : null
}

/** Compares texts by their code points, as the databases compare bytes of UTF-8. */
export function compareValues(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  const [one, other] = [left as number, right as number]
  return one < other ? -1 : one > other ? 1 : 0
}

function compareTexts(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right))
}
