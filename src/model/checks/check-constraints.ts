// Checks an attribute's constraints against each other, and its default against them.

import { attributeTypes, isScalarType, type ScalarType } from '../../attribute-types/attribute-types.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { compileLinearRegex } from '../../lib/linear-regex.ts'
import { type CheckContext, type Fault, formatSuggestion, showValue } from '../checking.ts'
import type { AttributeSource, ComponentSource, TypeSource } from '../type-source.ts'

export function checkConstraints(checking: CheckContext): void {
  const { sources, schemas } = checking
  for (const schema of [...sources.types.values(), ...sources.components.values()]) {
    const built = (schemas.types.get(schema.uid) ?? schemas.components.get(schema.uid))?.attributes
    for (const attribute of schema.attributes) {
      checkBounds(attribute, checking)
      checkEnum(attribute, checking)
      const scalar = built?.get(attribute.name)
      if (scalar?.kind !== 'scalar') continue
      checkUnique(attribute, scalar.type, checking)
      checkTargetField(attribute, schema, checking)
      const matches = checkRegex(attribute, checking.fault)
      checkDefault(attribute, scalar.type, matches, checking)
    }
  }
}

function checkBounds({ config, path }: AttributeSource, { fault }: CheckContext): void {
  const type = isScalarType(config.type) ? attributeTypes[config.type] : undefined
  // For components and dynamic zones, `min` and `max` count the parts.
  const bound = type === undefined ? Number : type.bound
  if (bound !== undefined) {
    for (const key of ['min', 'max'] as const) {
      if (config[key] === undefined || bound(config[key]) !== undefined) continue
      fault('MOD047', [...path, key], `${key} ${showValue(config[key])} is not ${type?.wanted(config[key])}`)
    }
    checkOrder('min', read(bound, config.min), 'max', read(bound, config.max))
  }
  checkOrder('minLength', config.minLength, 'maxLength', config.maxLength)

  function checkOrder(low: string, least: Bound, high: string, most: Bound): void {
    if (least !== undefined && most !== undefined && least > most) {
      fault('MOD042', [...path, low], `${low} ${least} is above ${high} ${most}: no value can be right`)
    }
  }
}

type Bound = number | bigint | undefined

function read(bound: (value: unknown) => Bound, written: unknown): Bound {
  return written === undefined ? undefined : bound(written)
}

/** `1` and `"1"` are one value, too. */
function checkEnum({ config, path }: AttributeSource, { fault }: CheckContext): void {
  for (const [index, value] of (config.enum ?? []).entries()) {
    if (config.enum?.indexOf(value) === index) continue
    fault('MOD099', [...path, 'enum', index], `the value "${value}" is listed twice`, {
      help: 'remove one of them',
    })
  }
}

function checkUnique(
  { name, config, path }: AttributeSource,
  type: ScalarType,
  { fault }: CheckContext,
): void {
  if (config.unique === true && attributeTypes[type].unique === 'never') {
    fault(
      'MOD046',
      [...path, 'unique'],
      `"${name}" is of type ${config.type}, whose values cannot be compared`,
      {
        help: 'remove unique',
      },
    )
  }
}

function checkTargetField(
  { name, config, path }: AttributeSource,
  schema: TypeSource | ComponentSource,
  { fault }: CheckContext,
): void {
  const { targetField } = config
  if (targetField === undefined) return
  const fieldPath = [...path, 'targetField']
  const target = schema.attributes.find((attribute) => attribute.name === targetField)
  const candidates = schema.attributes
    .filter(
      ({ name: other, config }) =>
        other !== name && config.computed === undefined && isSluggable(config.type),
    )
    .map((attribute) => attribute.name)
  if (target === undefined) {
    const help = formatSuggestion(didYouMean(targetField, candidates), candidates)
    fault('MOD031', fieldPath, `${schema.uid} has no attribute "${targetField}"`, { help })
  } else if (!candidates.includes(targetField)) {
    const what = target.name === name ? 'itself' : `"${targetField}", which is of type ${target.config.type}`
    const help = formatSuggestion(undefined, candidates)
    fault('MOD031', fieldPath, `"${name}" cannot be made from ${what}`, { help })
  }
}

function isSluggable(type: string): boolean {
  return isScalarType(type) && attributeTypes[type].sluggable
}

function checkDefault(
  { name, config, path }: AttributeSource,
  type: ScalarType,
  matches: ((value: string) => boolean) | undefined,
  { fault }: CheckContext,
): void {
  const { default: value } = config
  // In schemas pasted from Strapi, `default: null` means no default.
  if (value === undefined || value === null) return
  const defaultPath = [...path, 'default']
  const { secret, slug, atMoment } = attributeTypes[type]
  if (value === 'now' && atMoment !== undefined) return
  // Reports must not show private values either.
  const shown = config.private === true || secret ? undefined : showValue(value)
  // The default of a slug is the text that the slug is made from.
  const wanted = attributeTypes[slug ? 'string' : type].wanted(value)
  if (wanted !== undefined) {
    const found = shown === undefined ? '' : `, not ${shown}`
    fault('MOD040', defaultPath, `the default of "${name}" must be ${wanted}${found}`)
    return
  }
  for (const { broken, help } of brokenConstraints(config, type, value, matches)) {
    fault('MOD041', defaultPath, `the default${shown === undefined ? '' : ` ${shown}`} ${broken}`, { help })
  }
}

interface BrokenConstraint {
  readonly broken: string
  readonly help?: string | undefined
}

function brokenConstraints(
  config: AttributeSource['config'],
  type: ScalarType,
  value: unknown,
  matches: ((value: string) => boolean) | undefined,
): BrokenConstraint[] {
  const broken: BrokenConstraint[] = []
  const { bound, slug } = attributeTypes[type]
  if (typeof value === 'string' && !slug) {
    const { minLength, maxLength } = config
    if (minLength !== undefined && value.length < minLength) {
      broken.push({ broken: `has ${value.length} characters, fewer than minLength ${minLength}` })
    }
    if (maxLength !== undefined && value.length > maxLength) {
      broken.push({ broken: `has ${value.length} characters, more than maxLength ${maxLength}` })
    }
    if (matches !== undefined && value !== '' && !matches(value)) {
      broken.push({ broken: `does not match ${config.regex}` })
    }
  }
  if (config.enum !== undefined && !config.enum.includes(String(value))) {
    const help = formatSuggestion(didYouMean(String(value), config.enum), config.enum)
    broken.push({ broken: 'is not one of the values of enum', help })
  }
  if (bound !== undefined) {
    const amount = bound(value)
    const min = read(bound, config.min)
    const max = read(bound, config.max)
    if (amount !== undefined && min !== undefined && amount < min)
      broken.push({ broken: `is below min ${min}` })
    if (amount !== undefined && max !== undefined && amount > max)
      broken.push({ broken: `is above max ${max}` })
  }
  return broken
}

function checkRegex(
  { config, path }: AttributeSource,
  fault: Fault,
): ((value: string) => boolean) | undefined {
  const { regex } = config
  if (regex === undefined) return undefined
  const regexPath = [...path, 'regex']
  let pattern: RegExp
  try {
    pattern = new RegExp(regex)
  } catch (error) {
    fault('MOD043', regexPath, `the regular expression does not compile: ${getReason(error, regex)}`)
    return undefined
  }
  try {
    return compileLinearRegex(regex)
  } catch {
    const message =
      'the regular expression cannot be matched in linear time, and values of more than 256 characters never match it'
    fault('MOD044', regexPath, message, {
      severity: 'warning',
      help: 'write it without lookarounds and backreferences',
    })
    return (value) => pattern.test(value)
  }
}

/** Removes the pattern from V8's message, because the report shows it anyway. */
function getReason(error: unknown, regex: string): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace('Invalid regular expression: ', '').replace(`/${regex}/: `, '').toLowerCase()
}
