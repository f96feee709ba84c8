// Finds the filters and sorts of a query without an index, and the indexes to declare. It reads declarations,
// not database plans, which change with statistics.

import { attributeTypes } from '../../attribute-types/attribute-types.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import { getSchemaBehind } from '../../model/attribute-targets.ts'
import type { Schema } from '../../model/content-type.ts'
import { nameOfCondition, nameOfKey } from '../../plan/price.ts'
import type { Condition, ReadPlan, SortKey, ValueExpression } from '../../plan/read-plan.ts'
import type { ModelLayout } from './build-layout.ts'
import type { Dialect } from './dialect.ts'
import { hasIndex } from './is-indexed.ts'

/** As an entry of `index` in the file. */
export type DeclaredIndex = readonly string[] | { readonly text: readonly string[] }

interface MissingIndex {
  readonly schema: Schema
  readonly index: DeclaredIndex
}

export interface Scan {
  /** `filters title $contains`, `sort views`. */
  readonly parts: readonly string[]
  readonly missing: readonly MissingIndex[]
}

interface ScanContext {
  readonly layout: ModelLayout
  readonly dialect: Dialect
  isLarge(schema: Schema): boolean
}

type Compare = Extract<Condition, { kind: 'compare' }>

/** Undefined if an index serves the query or none is needed. */
export function getScan({ schema, condition, sort }: ReadPlan, context: ScanContext): Scan | undefined {
  const asked = getAsked(condition)
  if (asked.length > 0) {
    if (asked.some((part) => isServed(schema, part, context))) return undefined
  } else if (sort[0] === undefined || bringsOrder(schema, sort[0], context)) return undefined
  const parts = [
    ...asked.map((part) => `filters ${nameOfCondition(part)}`),
    ...sort
      .filter(({ attribute, value }) => attribute.name !== 'id' || value !== undefined)
      .map((key) => `sort ${nameOfKey(key)}`),
  ]
  return { parts, missing: merged(missingFor(schema, asked, sort, context)) }
}

/** Leaves out conditions on versions and locales, which half of all entries may meet. */
function getAsked(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return []
  if (condition.kind === 'and') return condition.conditions.flatMap(getAsked)
  if (
    condition.kind === 'related' &&
    condition.attribute.kind === 'relation' &&
    condition.attribute.sameDocument
  )
    return []
  return condition.kind === 'compare' && isOfVersions(condition.attribute) ? [] : [condition]
}

function isOfVersions({ system, name }: ScalarAttribute): boolean {
  return system && (name === 'publishedAt' || name === 'locale')
}

function isServed(schema: Schema, condition: Condition, context: ScanContext): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.some((part) => isServed(schema, part, context))
    case 'or':
      return condition.conditions.every((part) => isServed(schema, part, context))
    case 'compare':
      if (condition.indexed === true && context.dialect.textIndex !== undefined) return true
      return comparesWhole(condition) && hasIndex(context.layout, schema, condition.attribute)
    case 'compareValues':
      return isIndexedPath(condition.left)
    case 'related': {
      const target = getSchemaBehind(condition.attribute)
      if (target === undefined || condition.condition === undefined) return false
      return !context.isLarge(target) || isServed(target, condition.condition, context)
    }
    default:
      return false
  }
}

/** The whole text at a path has no index, because it may be too long for one. */
function isIndexedPath(value: ValueExpression): boolean {
  return value.kind === 'json' && typeof value.path !== 'number' && value.as !== 'text'
}

function comparesWhole({ operator: { negated, asText } }: Compare): boolean {
  return !negated && !asText
}

function bringsOrder(
  schema: Schema,
  { through, attribute, value }: SortKey,
  { layout }: ScanContext,
): boolean {
  if (value !== undefined) return isIndexedPath(value)
  return through.length === 0 && hasIndex(layout, schema, attribute)
}

/** Equal values come first, then the order, then ranges; texts have indexes of their own. */
function missingFor(
  schema: Schema,
  asked: readonly Condition[],
  sort: readonly SortKey[],
  context: ScanContext,
): readonly MissingIndex[] {
  const compared = asked.filter((part): part is Compare => part.kind === 'compare')
  const whole = compared.filter((part) => comparesWhole(part) && isIndexable(part.attribute))
  const exact = whole.filter(({ operator: { kind } }) => kind === 'equal' || kind === 'in' || kind === 'null')
  const order = asked.length > 0 && exact.length === 0 ? [] : getOrder(sort)
  const names = [...new Set([...exact.map(({ attribute }) => attribute.name), ...order])]
  if (names.length > 0) return [{ schema, index: names }]
  const [range] = whole
  if (range !== undefined) return [{ schema, index: [range.attribute.name] }]
  const texts = compared.filter((part) => isSearchable(part, context)).map(({ attribute }) => attribute.name)
  if (texts.length > 0) return [{ schema, index: { text: texts } }]
  for (const part of asked) {
    const found = missingForOne(schema, part, context)
    if (found.length > 0) return found
  }
  return []
}

function missingForOne(schema: Schema, part: Condition, context: ScanContext): readonly MissingIndex[] {
  if (part.kind === 'related') {
    const target = getSchemaBehind(part.attribute)
    if (target === undefined || part.condition === undefined) return []
    return missingFor(target, getAsked(part.condition), [], context)
  }
  // The path itself is a value of the request, which the plan does not have.
  if (part.kind === 'compareValues' && part.left.kind === 'json')
    return [{ schema, index: [`${part.left.attribute.name}.<path>`] }]
  if (part.kind !== 'or') return []
  const unserved = part.conditions.filter((one) => !isServed(schema, one, context))
  const each = unserved.map((one) => missingFor(schema, getAsked(one), [], context))
  // One alternative without an index reads every entry anyway.
  return each.some((found) => found.length === 0) ? [] : each.flat()
}

/** An index can order by the first keys, of the entry itself and in one direction. */
function getOrder(sort: readonly SortKey[]): readonly string[] {
  const [first] = sort
  const end = sort.findIndex(
    ({ through, attribute, value, descending }) =>
      through.length > 0 ||
      value !== undefined ||
      attribute.name === 'id' ||
      !isIndexable(attribute) ||
      descending !== first?.descending,
  )
  return sort.slice(0, end < 0 ? sort.length : end).map(({ attribute }) => attribute.name)
}

function isIndexable({ name, computed, type }: ScalarAttribute): boolean {
  return name !== 'id' && computed === undefined && attributeTypes[type].unique !== 'never'
}

/** An attribute with a text index is searched without it only if the term is too short. */
function isSearchable({ attribute, operator }: Compare, { dialect }: ScanContext): boolean {
  const { kind, negated } = operator
  return (
    dialect.textIndex !== undefined &&
    !negated &&
    (kind === 'contains' || kind === 'startsWith' || kind === 'endsWith') &&
    !attribute.textIndex &&
    !attribute.system &&
    attributeTypes[attribute.type].search === 'text'
  )
}

function merged(missing: readonly MissingIndex[]): readonly MissingIndex[] {
  const texts = new Map<Schema, Set<string>>()
  const others = new Map<string, MissingIndex>()
  for (const one of missing) {
    const { schema, index } = one
    if (!('text' in index)) others.set(`${schema.collectionName} ${index.join()}`, one)
    else texts.set(schema, new Set([...(texts.get(schema) ?? []), ...index.text]))
  }
  return [
    ...others.values(),
    ...[...texts].map(([schema, names]) => ({ schema: schema, index: { text: [...names] } })),
  ]
}
