// Constraints of attributes against each other, and defaults against the constraints of their own attribute.

import { didYouMean } from '../util/did-you-mean.ts'
import type { ScalarType } from './attribute.ts'
import { checkRegex } from './check-regex.ts'
import { type Checking, suggestion } from './checking.ts'
import type { AttributeSource, ComponentSource, TypeSource } from './type-source.ts'
import { parseBigInteger, showValue, wantedKind } from './value-kind.ts'

export function checkConstraints(checking: Checking): void {
  const { sources, holders } = checking
  for (const holder of [...sources.types.values(), ...sources.components.values()]) {
    const built = (holders.types.get(holder.uid) ?? holders.components.get(holder.uid))?.attributes
    for (const attribute of holder.attributes) {
      checkBounds(attribute, checking)
      const scalar = built?.get(attribute.name)
      if (scalar?.kind !== 'scalar') continue
      checkUnique(attribute, checking)
      checkTargetField(attribute, holder, checking)
      const matches = checkRegex(attribute, checking.fault)
      checkDefault(attribute, scalar.type, matches, checking)
    }
  }
}

function checkBounds({ config, path }: AttributeSource, { fault }: Checking): void {
  if (config.type === 'biginteger') {
    for (const key of ['min', 'max'] as const) {
      if (config[key] !== undefined && parseBigInteger(config[key]) === undefined) {
        fault(
          'MOD047',
          [...path, key],
          `${key} ${showValue(config[key])} is not a whole number of at most 64 bits`,
        )
      }
    }
  }
  for (const [low, high] of [
    ['min', 'max'],
    ['minLength', 'maxLength'],
  ] as const) {
    const least = boundOf(config[low], config.type)
    const most = boundOf(config[high], config.type)
    if (least !== undefined && most !== undefined && least > most) {
      fault('MOD042', [...path, low], `${low} ${least} is above ${high} ${most}: no value can be right`)
    }
  }
}

function boundOf(bound: number | string | undefined, type: string): number | bigint | undefined {
  if (bound === undefined) return undefined
  if (type === 'biginteger') return parseBigInteger(bound)
  return Number(bound)
}

/** A hash is never equal to another, and JSON values have no order of keys to compare. */
const neverUnique: ReadonlySet<string> = new Set(['json', 'blocks', 'password'])

function checkUnique({ name, config, path }: AttributeSource, { fault }: Checking): void {
  if (config.unique === true && neverUnique.has(config.type)) {
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

const sluggable: ReadonlySet<string> = new Set(['string', 'text', 'email', 'enumeration', 'richtext'])

function checkTargetField(
  { name, config, path }: AttributeSource,
  holder: TypeSource | ComponentSource,
  { fault }: Checking,
): void {
  const { targetField } = config
  if (targetField === undefined) return
  const fieldPath = [...path, 'targetField']
  const target = holder.attributes.find((attribute) => attribute.name === targetField)
  const candidates = holder.attributes
    .filter((attribute) => attribute.name !== name && sluggable.has(attribute.config.type))
    .map((attribute) => attribute.name)
  if (target === undefined) {
    const help = suggestion(didYouMean(targetField, candidates), candidates)
    fault('MOD031', fieldPath, `${holder.uid} has no attribute "${targetField}"`, { help })
  } else if (!candidates.includes(targetField)) {
    const what = target.name === name ? 'itself' : `"${targetField}", which is of type ${target.config.type}`
    const help = suggestion(undefined, candidates)
    fault('MOD031', fieldPath, `"${name}" cannot be made from ${what}`, { help })
  }
}

function checkDefault(
  { name, config, path }: AttributeSource,
  type: ScalarType,
  matches: ((value: string) => boolean) | undefined,
  { fault }: Checking,
): void {
  const { default: value } = config
  // `default: null` is how a pasted schema says that there is none.
  if (value === undefined || value === null) return
  const defaultPath = [...path, 'default']
  // What is private stays out of reports, too.
  const shown = config.private === true || type === 'password' ? undefined : showValue(value)
  // The default of a uid is text that it is made from.
  const wanted = wantedKind(type === 'uid' ? 'string' : type, value)
  if (wanted !== undefined) {
    const found = shown === undefined ? '' : `, not ${shown}`
    fault('MOD040', defaultPath, `the default of "${name}" must be ${wanted}${found}`)
    return
  }
  for (const { broken, help } of brokenConstraints(config, type, value, matches)) {
    fault('MOD041', defaultPath, `the default${shown === undefined ? '' : ` ${shown}`} ${broken}`, { help })
  }
}

interface Broken {
  readonly broken: string
  readonly help?: string | undefined
}

function brokenConstraints(
  config: AttributeSource['config'],
  type: ScalarType,
  value: unknown,
  matches: ((value: string) => boolean) | undefined,
): Broken[] {
  const broken: Broken[] = []
  if (typeof value === 'string' && type !== 'biginteger' && type !== 'uid') {
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
  if (type === 'enumeration' && config.enum !== undefined && !config.enum.includes(String(value))) {
    const help = suggestion(didYouMean(String(value), config.enum), config.enum)
    broken.push({ broken: 'is not one of the values of enum', help })
  }
  if (['integer', 'biginteger', 'float', 'decimal'].includes(type)) {
    const amount = boundOf(value as number | string, type)
    const min = boundOf(config.min, type)
    const max = boundOf(config.max, type)
    if (amount !== undefined && min !== undefined && amount < min)
      broken.push({ broken: `is below min ${min}` })
    if (amount !== undefined && max !== undefined && amount > max)
      broken.push({ broken: `is above max ${max}` })
  }
  return broken
}
