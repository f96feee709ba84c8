// Checks the values of a form by the rules of the file, before the API does, in words for editors.

import type { Attribute, Model } from '../../described.ts'
import { say } from '../messages.ts'
import type { Fault } from '../server.ts'
import { listAttributes, type Values } from './values.ts'

interface CheckOptions {
  readonly model: Model
  /** Drafts may lack values, and be shorter. */
  readonly draft: boolean
  /** Whether absent values are missing; a change leaves them as they are. */
  readonly whole: boolean
}

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'decimal', 'biginteger'])
/** Longer values are left to the server, because a pattern of the file may take long. */
const MAX_PATTERN_CHARACTERS = 256

export function checkValues(
  attributes: readonly Attribute[],
  values: Values,
  options: CheckOptions,
  path: readonly string[] = [],
): readonly Fault[] {
  return attributes.flatMap((attribute) => {
    if (attribute.computed !== undefined || attribute.writable === false) return []
    return checkValue(attribute, values[attribute.name], options, [...path, attribute.name])
  })
}

function checkValue(
  attribute: Attribute,
  value: unknown,
  options: CheckOptions,
  path: readonly string[],
): readonly Fault[] {
  const report = (message: string): readonly Fault[] => [{ path, message }]
  if (value === undefined && !options.whole) return []
  if (isEmpty(value)) {
    const isMade = attribute.type === 'uid' || attribute.default !== undefined
    // A list of entries may be empty, as in the API.
    const mayBeEmpty = attribute.kind === 'relation' && attribute.many === true
    const missing = attribute.required === true && !options.draft && !(value === undefined && isMade)
    return missing && !mayBeEmpty ? report(say('Fill this in: it is required.')) : []
  }
  switch (attribute.kind) {
    case 'scalar':
      return findScalarFaults(attribute, value, options.draft).flatMap(report)
    case 'relation':
    case 'media':
      return []
    case 'component':
      return [
        ...(attribute.many === true ? findCountFaults(attribute, value, options.draft).flatMap(report) : []),
        ...checkInner(() => attribute.component ?? '', value, options, path),
      ]
    case 'dynamiczone':
      return [
        ...findCountFaults(attribute, value, options.draft).flatMap(report),
        ...checkInner((item) => String(item['__component']), value, options, path),
      ]
  }
}

function checkInner(
  getUid: (item: Values) => string,
  value: unknown,
  options: CheckOptions,
  path: readonly string[],
): readonly Fault[] {
  const check = (item: Values, at: readonly string[]): readonly Fault[] =>
    // An absent value of a stored component stays.
    checkValues(
      listAttributes(options.model, getUid(item)),
      item,
      { ...options, whole: item['id'] === undefined },
      at,
    )
  return Array.isArray(value)
    ? value.flatMap((item, index) => check(item as Values, [...path, String(index)]))
    : check(value as Values, path)
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function findCountFaults({ min, max }: Attribute, value: unknown, draft: boolean): readonly string[] {
  const { length } = value as readonly unknown[]
  if (draft) return []
  if (min !== undefined && length < Number(min))
    return [say('Add at least {min}: there are {length}.', { min, length })]
  if (max !== undefined && length > Number(max))
    return [say('Keep at most {max}: there are {length}.', { max, length })]
  return []
}

function findScalarFaults(attribute: Attribute, value: unknown, draft: boolean): readonly string[] {
  const { type, minLength, maxLength, regex } = attribute
  if (NUMBERS.has(type)) return findNumberFaults(attribute, value, draft)
  if (type === 'enumeration' && attribute.enum?.includes(String(value)) === false)
    return [say('Choose one of: {values}.', { values: attribute.enum.join(', ') })]
  if (typeof value !== 'string') return []
  if (type === 'email' && !/^\S+@\S+$/.test(value)) return [say('Write an address, such as ann@example.com.')]
  if (maxLength !== undefined && value.length > maxLength)
    return [
      say('Use at most {maxLength} characters: there are {length}.', { maxLength, length: value.length }),
    ]
  if (minLength !== undefined && value.length < minLength && !draft)
    return [
      say('Use at least {minLength} characters: there are {length}.', { minLength, length: value.length }),
    ]
  return regex === undefined || matches(regex, value)
    ? []
    : [say('This does not have the form /{regex}/.', { regex })]
}

function findNumberFaults({ type, min, max }: Attribute, value: unknown, draft: boolean): readonly string[] {
  const number = Number(value)
  if (Number.isNaN(number)) return [say('Write a number.')]
  const isWhole = type === 'integer' || type === 'biginteger'
  if (isWhole && !Number.isInteger(number)) return [say('Write a whole number.')]
  if (type === 'biginteger') return []
  if (min !== undefined && number < Number(min) && !draft)
    return [say('Write {min} or more.', { min: String(min) })]
  if (max !== undefined && number > Number(max)) return [say('Write {max} or less.', { max: String(max) })]
  return []
}

function matches(pattern: string, value: string): boolean {
  if (value.length > MAX_PATTERN_CHARACTERS) return true
  try {
    return new RegExp(pattern).test(value)
  } catch {
    // The server knows other patterns.
    return true
  }
}
