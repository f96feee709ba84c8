// Turns `_q` into a condition on readable attributes, as text and as numbers. Private attributes are never
// searched. Over `index: text` it consists of terms, whose relevance orders the list.

import { buildTable } from '../attribute-types/attribute-types.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { Attribute, ScalarAttribute } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import { buildComparison, planComparison } from './conditions/plan-comparison.ts'
import { isNullCondition } from './conditions/plan-filter.ts'
import { getReadable } from './find-attribute.ts'
import { type Operator, operators } from './operators.ts'
import { byId } from './plan-sort.ts'
import { type PlanContext, planLimits, slot } from './planning.ts'
import type { Condition, Highlights, SortKey } from './read-plan.ts'
import { parseSearchTerms, type SearchTerm } from './search-terms.ts'

const searched = buildTable(({ search }) => search)

/** Undefined if nothing is searched. Throws ValidationError. */
export function planSearch(planning: PlanContext, type: ContentType, search: string): Condition | undefined {
  const terms = listTerms(type, search)
  const documentId = type.document?.documentId
  const isOneWord = terms.length === 1 && !/\s/.test(search)
  const conditions = terms.map((term): Condition => {
    const condition = planTerm(planning, type, term)
    if (documentId === undefined || !isOneWord || term.excluded) return condition
    const named = planComparison(planning, documentId, operatorNamed('$eq'), [term.text])
    return { kind: 'or', conditions: [condition, named] }
  })
  const [only] = conditions
  return conditions.length > 1 ? { kind: 'and', conditions, narrows: true } : only
}

/** Whether lists of the type are ordered by relevance. */
export function isRanked(type: ContentType): boolean {
  return [...type.attributes.values()].some(isRankedText)
}

/** The terms, and the texts with an index in which they are looked for; undefined without either. */
export function planSought(planning: PlanContext, type: ContentType, search: string): Highlights | undefined {
  const attributes = listSearched(planning, type).filter(isRankedText)
  const terms = listTerms(type, search).filter(({ excluded }) => !excluded)
  if (attributes.length === 0 || terms.length === 0) return undefined
  return { attributes, terms: terms.map(({ text }) => slot(planning, text)) }
}

export function byRelevance(type: ContentType, { attributes, terms }: Highlights): SortKey {
  const counted = terms.slice(0, planLimits.rankedTerms)
  return { ...byId(type), value: { kind: 'relevance', attributes, terms: counted }, descending: true }
}

/** Throws ValidationError if the texts of the type have no index. */
export function assertHighlights(type: ContentType): void {
  if (isRanked(type)) return
  throw new ApiError(
    'ValidationError',
    `_highlight needs texts with an index, and ${type.uid} has none: declare index: text at its texts, or remove _highlight`,
  )
}

function listTerms(type: ContentType, search: string): readonly SearchTerm[] {
  if (search.length > planLimits.valueLength || search.includes('\0')) {
    throw new ApiError(
      'ValidationError',
      `_q must be at most ${planLimits.valueLength} characters without NUL`,
    )
  }
  // The longest leaves the fewest entries for the others.
  if (isRanked(type)) return parseSearchTerms(search).toSorted((a, b) => rankTerm(b) - rankTerm(a))
  return search === '' ? [] : [{ text: search, excluded: false }]
}

function rankTerm({ text, excluded }: SearchTerm): number {
  return excluded ? -text.length : text.length
}

/** An excluded term is in none of the attributes. */
function planTerm(planning: PlanContext, type: ContentType, { text, excluded }: SearchTerm): Condition {
  const value = slot(planning, text)
  const operator = operatorNamed(excluded ? '$notContainsi' : '$containsi')
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text))
  const conditions = listSearched(planning, type, isNumber).map((attribute): Condition => {
    const comparison = buildComparison(planning, attribute, operator, [value], text)
    if (!excluded) return comparison
    return { kind: 'or', conditions: [comparison, isNullCondition(planning, attribute, true)] }
  })
  return { kind: excluded ? 'and' : 'or', conditions }
}

function listSearched(
  planning: PlanContext,
  type: ContentType,
  isNumber = false,
): readonly ScalarAttribute[] {
  const readable = getReadable(planning, type)
  const attributes: ScalarAttribute[] = isNumber ? [type.id] : []
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'scalar' || attribute.private || !attribute.searchable) continue
    if (readable?.has(attribute.name) === false) continue
    const kind = searched[attribute.type]
    if (kind === 'text' || (kind === 'number' && isNumber)) attributes.push(attribute)
  }
  return attributes
}

function isRankedText(attribute: Attribute): boolean {
  return attribute.kind === 'scalar' && attribute.textIndex && attribute.searchable && !attribute.private
}

function operatorNamed(name: '$eq' | '$containsi' | '$notContainsi'): Operator {
  const operator = operators.get(name)
  if (operator === undefined) throw new TypeError(`the operator table lacks ${name}`)
  return operator
}
