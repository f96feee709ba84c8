// Finds where a value differs from a schema of an OpenAPI document. Also reports unknown keys and missing
// attributes, which JSON Schema alone allows.

import { isRecord } from '../../lib/is-record.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Fault {
  /** `data[0].attributes.title`. */
  readonly place: string
  readonly message: string
}

interface CompareContext {
  /** By name: `components.schemas` of the document. */
  readonly schemas: Readonly<Record<string, unknown>>
  readonly populated: boolean
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isRecord,
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
}

const MAX_SHOWN_LENGTH = 60

export function findFaults(schema: JsonSchema, value: unknown, comparing: CompareContext): readonly Fault[] {
  return faultsAt(schema, value, '', comparing)
}

function faultsAt(
  schema: JsonSchema,
  value: unknown,
  place: string,
  comparing: CompareContext,
): readonly Fault[] {
  const { $ref, anyOf, oneOf, allOf } = schema
  if (typeof $ref === 'string') return referred($ref, value, place, comparing)
  const alternatives = [anyOf, oneOf].find((one) => Array.isArray(one)) as readonly JsonSchema[] | undefined
  if (alternatives !== undefined) return nearest(alternatives, value, place, comparing)
  if (Array.isArray(allOf))
    return (allOf as readonly JsonSchema[]).flatMap((one) => faultsAt(one, value, place, comparing))
  const types = [schema['type'] ?? []].flat().map(String)
  if (types.length > 0 && !types.some((type) => TYPES[type]?.(value) ?? true))
    return [fault(place, `is ${shown(value)}, not ${types.join(' or ')}`)]
  if ('const' in schema && schema['const'] !== value)
    return [fault(place, `is ${shown(value)}, not ${shown(schema['const'])}`)]
  const { enum: values, format } = schema
  if (Array.isArray(values) && !values.includes(value))
    return [fault(place, `is ${shown(value)}, which is none of ${values.map(shown).join(', ')}`)]
  if (typeof value === 'string' && typeof format === 'string' && FORMATS[format]?.test(value) === false)
    return [fault(place, `is ${shown(value)}, not a ${format}`)]
  if (Array.isArray(value) && isRecord(schema['items']))
    return value.flatMap((one, index) =>
      faultsAt(schema['items'] as JsonSchema, one, `${place}[${index}]`, comparing),
    )
  return isRecord(value) ? faultsOfKeys(schema, value, place, comparing) : []
}

function referred($ref: string, value: unknown, place: string, comparing: CompareContext): readonly Fault[] {
  const name = $ref.split('/').at(-1) ?? ''
  const schema = comparing.schemas[name]
  if (!isRecord(schema)) return []
  const faults = faultsAt(schema, value, place, comparing)
  // Nested populated entries are checked only against their own schema.
  const isEntry = /^data(?:\[\d+\])?(?:\.attributes)?$/.test(place)
  if (!name.endsWith('Attributes') || !isEntry || !isRecord(value)) return faults
  const known = getKeys(schema)
  const missing = Object.entries(known).filter(
    ([key, one]) => !(key in value) && (comparing.populated || isPlain(one, comparing)),
  )
  const more = Object.keys(value).filter((key) => !(key in known) && !(key === 'id' || key === 'documentId'))
  return [
    ...faults,
    ...missing.map(([key]) => fault(at(place, key), 'is missing')),
    ...more.map((key) => fault(at(place, key), 'is not in the document')),
  ]
}

function getKeys({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  return isRecord(properties) ? properties : {}
}

function isPlain(schema: unknown, comparing: CompareContext): boolean {
  if (!isRecord(schema)) return false
  const { anyOf, oneOf, allOf, $ref, type, properties, items } = schema
  if ($ref !== undefined || allOf !== undefined || properties !== undefined || items !== undefined)
    return false
  const parts = [anyOf, oneOf].find((one) => Array.isArray(one)) as readonly unknown[] | undefined
  if (parts !== undefined) return parts.every((one) => isPlain(one, comparing))
  return type !== undefined && type !== 'array' && type !== 'object'
}

function faultsOfKeys(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  place: string,
  comparing: CompareContext,
): readonly Fault[] {
  const properties = getKeys(schema)
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  return [
    ...required.filter((key) => !(key in value)).map((key) => fault(at(place, key), 'is missing')),
    ...Object.entries(properties).flatMap(([key, one]) =>
      key in value && isRecord(one) ? faultsAt(one, value[key], at(place, key), comparing) : [],
    ),
  ]
}

function nearest(
  alternatives: readonly JsonSchema[],
  value: unknown,
  place: string,
  comparing: CompareContext,
): readonly Fault[] {
  const typed = alternatives.filter((one) => hasType(one, value))
  const types = alternatives.map(({ type }) => type)
  if (typed.length === 0 && types.every((type) => type !== undefined))
    return [fault(place, `is ${shown(value)}, not ${types.flat().join(' or ')}`)]
  let best: readonly Fault[] = []
  for (const one of typed.length === 0 ? alternatives : typed) {
    const faults = faultsAt(one, value, place, comparing)
    if (faults.length === 0) return []
    const [before, now] = [getDepth(best), getDepth(faults)]
    // Faults within a matching form are more useful than those of a different form.
    if (best.length === 0 || now > before || (now === before && faults.length < best.length)) best = faults
  }
  return best
}

function hasType({ type }: JsonSchema, value: unknown): boolean {
  return type === undefined || [type].flat().some((one) => TYPES[String(one)]?.(value) ?? true)
}

function getDepth(faults: readonly Fault[]): number {
  return Math.max(0, ...faults.map(({ place }) => place.split(/[.[]/).length))
}

function at(place: string, key: string): string {
  return place === '' ? key : `${place}.${key}`
}

function fault(place: string, message: string): Fault {
  return { place: place === '' ? 'the response' : place, message }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}
