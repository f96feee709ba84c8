// Which filters and sorts of a query no index serves, and the indexes that would. It is told from what is declared, not
// from what a database plans: that changes with its statistics, and an author can only change the former.

import { attributeTypes } from '../../attribute-types/attribute-types.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import { holderBehind } from '../../model/attribute-targets.ts'
import type { AttributeHolder } from '../../model/content-type.ts'
import { nameOfCondition } from '../../plan/price.ts'
import type { Condition, ReadPlan, SortKey } from '../../plan/read-plan.ts'
import type { ModelLayout } from './build-layout.ts'
import type { Dialect } from './dialect.ts'
import { hasIndex } from './is-indexed.ts'

/** As an entry of `index` in the file. */
export type DeclaredIndex = readonly string[] | { readonly text: readonly string[] }

interface MissingIndex {
  readonly holder: AttributeHolder
  readonly index: DeclaredIndex
}

/** All entries of a content-type are looked at. */
export interface Scan {
  /** The part of the query: `filters title $contains`, `sort views`. */
  readonly parts: readonly string[]
  /** Empty if no index serves such a query. */
  readonly missing: readonly MissingIndex[]
}

interface ScanContext {
  readonly layout: ModelLayout
  readonly dialect: Dialect
  isLarge(holder: AttributeHolder): boolean
}

type Compare = Extract<Condition, { kind: 'compare' }>

/** Undefined: an index finds the entries or brings their order, or nothing is asked that needs one. */
export function getScan({ holder, condition, sort }: ReadPlan, context: ScanContext): Scan | undefined {
  const asked = getAsked(condition)
  if (asked.length > 0) {
    if (asked.some((part) => isServed(holder, part, context))) return undefined
  } else if (sort[0] === undefined || bringsOrder(holder, sort[0], context)) return undefined
  const parts = [
    ...asked.map((part) => `filters ${nameOfCondition(part)}`),
    ...sort.filter(({ attribute }) => attribute.name !== 'id').map((key) => `sort ${nameOfKey(key)}`),
  ]
  return { parts, missing: merged(missingFor(holder, asked, sort, context)) }
}

/** The conditions that hold together, without those on versions and locales: half of all entries may meet them. */
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

function isServed(holder: AttributeHolder, condition: Condition, context: ScanContext): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.some((part) => isServed(holder, part, context))
    case 'or':
      return condition.conditions.every((part) => isServed(holder, part, context))
    case 'compare':
      if (condition.indexed === true && context.dialect.textIndex !== undefined) return true
      return comparesWhole(condition) && hasIndex(context.layout, holder, condition.attribute)
    case 'related': {
      const target = holderBehind(condition.attribute)
      if (target === undefined || condition.condition === undefined) return false
      return !context.isLarge(target) || isServed(target, condition.condition, context)
    }
    default:
      return false
  }
}

/** Whether an index of values could find what is compared. */
function comparesWhole({ operator: { negated, asText } }: Compare): boolean {
  return !negated && !asText
}

function bringsOrder(
  holder: AttributeHolder,
  { through, attribute }: SortKey,
  { layout }: ScanContext,
): boolean {
  return through.length === 0 && hasIndex(layout, holder, attribute)
}

/** Equal values come first, then the order, then ranges; texts have indexes of their own. */
function missingFor(
  holder: AttributeHolder,
  asked: readonly Condition[],
  sort: readonly SortKey[],
  context: ScanContext,
): readonly MissingIndex[] {
  const compared = asked.filter((part): part is Compare => part.kind === 'compare')
  const whole = compared.filter((part) => comparesWhole(part) && isIndexable(part.attribute))
  const exact = whole.filter(({ operator: { kind } }) => kind === 'equal' || kind === 'in' || kind === 'null')
  const order = asked.length > 0 && exact.length === 0 ? [] : getOrder(sort)
  const names = [...new Set([...exact.map(({ attribute }) => attribute.name), ...order])]
  if (names.length > 0) return [{ holder, index: names }]
  const [range] = whole
  if (range !== undefined) return [{ holder, index: [range.attribute.name] }]
  const texts = compared.filter((part) => isSearchable(part, context)).map(({ attribute }) => attribute.name)
  if (texts.length > 0) return [{ holder, index: { text: texts } }]
  for (const part of asked) {
    const found = missingForOne(holder, part, context)
    if (found.length > 0) return found
  }
  return []
}

function missingForOne(
  holder: AttributeHolder,
  part: Condition,
  context: ScanContext,
): readonly MissingIndex[] {
  if (part.kind === 'related') {
    const target = holderBehind(part.attribute)
    if (target === undefined || part.condition === undefined) return []
    return missingFor(target, getAsked(part.condition), [], context)
  }
  if (part.kind !== 'or') return []
  const unserved = part.conditions.filter((one) => !isServed(holder, one, context))
  const each = unserved.map((one) => missingFor(holder, getAsked(one), [], context))
  // One alternative without an index looks at every entry anyway.
  return each.some((found) => found.length === 0) ? [] : each.flat()
}

/** The keys that one index brings in order: the first ones, of the entry itself and in one direction. */
function getOrder(sort: readonly SortKey[]): readonly string[] {
  const [first] = sort
  const end = sort.findIndex(
    ({ through, attribute, descending }) =>
      through.length > 0 ||
      attribute.name === 'id' ||
      !isIndexable(attribute) ||
      descending !== first?.descending,
  )
  return sort.slice(0, end < 0 ? sort.length : end).map(({ attribute }) => attribute.name)
}

function isIndexable({ name, computed, type }: ScalarAttribute): boolean {
  return name !== 'id' && computed === undefined && attributeTypes[type].unique !== 'never'
}

/** A text that has an index already is asked for with too few characters. */
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

/** Texts of one content-type are searched together. */
function merged(missing: readonly MissingIndex[]): readonly MissingIndex[] {
  const texts = new Map<AttributeHolder, Set<string>>()
  const others = new Map<string, MissingIndex>()
  for (const one of missing) {
    const { holder, index } = one
    if (!('text' in index)) others.set(`${holder.collectionName} ${index.join()}`, one)
    else texts.set(holder, new Set([...(texts.get(holder) ?? []), ...index.text]))
  }
  return [
    ...others.values(),
    ...[...texts].map(([holder, names]) => ({ holder, index: { text: [...names] } })),
  ]
}

function nameOfKey({ through, attribute }: SortKey): string {
  return [...through, attribute].map(({ name }) => name).join('.')
}
