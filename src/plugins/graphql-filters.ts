// Translates GraphQL filter inputs into REST's filters: operators get their `$`, and logical operators within
// an attribute move around it.

import { isRecord } from '../lib/is-record.ts'
import { getSchemaBehind } from '../model/attribute-targets.ts'
import type { Schema } from '../model/content-type.ts'

type Filter = Readonly<Record<string, unknown>>

/** The schema has checked the names; values are passed on unchanged. */
export function parseFilters(schema: Schema, input: unknown): Filter {
  if (!isRecord(input)) return {}
  const filters: Filter[] = []
  for (const [key, value] of Object.entries(input)) {
    if (key === 'and' || key === 'or') {
      if (!Array.isArray(value)) continue
      const given = value.filter((element) => element !== null)
      filters.push({ [`$${key}`]: given.map((element) => parseFilters(schema, element)) })
    } else if (key === 'not') {
      if (value !== null) filters.push({ $not: parseFilters(schema, value) })
    } else filters.push(...parseAttribute(schema, key, value))
  }
  return together(filters)
}

function parseAttribute(schema: Schema, name: string, value: unknown): readonly Filter[] {
  const attribute = schema.attributes.get(name)
  const target = attribute === undefined ? undefined : getSchemaBehind(attribute)
  if (target !== undefined) return [{ [name]: value === null ? null : parseFilters(target, value) }]
  return parseScalar(name, value)
}

function parseScalar(name: string, value: unknown): readonly Filter[] {
  if (!isRecord(value)) return [{ [name]: value }]
  const operators: Record<string, unknown> = {}
  const filters: Filter[] = []
  for (const [operator, operand] of Object.entries(value)) {
    if (operator === 'and' || operator === 'or') {
      if (!Array.isArray(operand)) continue
      filters.push({ [`$${operator}`]: operand.map((element) => ({ [name]: { $eq: element } })) })
    } else if (operator === 'not') {
      if (operand !== null) filters.push({ $not: together(parseScalar(name, operand)) })
    } else if (operator === 'at') {
      if (Array.isArray(operand)) filters.push(...operand.map((element) => parsePath(name, element)))
    } else operators[`$${operator}`] = operand
  }
  return Object.keys(operators).length === 0 ? filters : [{ [name]: operators }, ...filters]
}

/** A value inside JSON: `{ path: "in.size", gt: 3 }`. */
function parsePath(name: string, { path, ...compared }: Filter): Filter {
  const operators = Object.entries(compared).map(([operator, operand]) => [`$${operator}`, operand])
  const names = [name, ...String(path).split('.')]
  return names.reduceRight<Filter>((inner, key) => ({ [key]: inner }), Object.fromEntries(operators))
}

function together(filters: readonly Filter[]): Filter {
  const [first = {}] = filters
  return filters.length > 1 ? { $and: filters } : first
}
