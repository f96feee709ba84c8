// Estimates a query's cost before it runs, from the numbers of entries and links (docs/reference/limits.md).

import { isToMany } from '../model/attribute.ts'
import type { Schema } from '../model/content-type.ts'
import { COST, getMakingCost, getOperatorCost, getValueCost, SHARE_OF_WORD } from './costs.ts'
import {
  type Condition,
  listLevels,
  listPopulated,
  looksAtItself,
  MAX_PAGED_PARENTS,
  MAX_UNPAGED_ROWS,
  type PlanValue,
  type PopulatePlan,
  type ReadPlan,
  type SortKey,
} from './read-plan.ts'

/** The links of an attribute. */
export interface FanOut {
  readonly links: number
  readonly most: number
}

export interface Statistics {
  getRows(schema: Schema): number
  getFanOut(attribute: PopulatePlan['attribute']): FanOut
}

export interface Price {
  readonly total: number
  /**
   * The entries of the largest type read, or half the links of the largest relation filtered or sorted
   * through.
   */
  readonly largest: number
  /** Of the most expensive statement: an embedded database serves no other request during it. */
  readonly statement: number
  /** `sort category.articles.title`. */
  readonly dearest: { readonly part: string; readonly cost: number }
}

/** In fact it takes twice as long, but other requests are served meanwhile. */
export const COST_OF_ROW = 3

/** Always allowed per entry: a query may read all entries of a type and do a little with each. */
export const ALLOWED_PER_ENTRY = 8

export const ALLOWED_PER_STATEMENT = 3 / 4

export function isFree(plan: ReadPlan, values: readonly PlanValue[]): boolean {
  return (
    listPopulated(plan).length === 0 &&
    (plan.condition === undefined || estimateMatching(plan.condition, values) === 1) &&
    // A filter or sort through a relation follows the whole relation, even for a single entry.
    looksAtItself(plan) &&
    plan.sort.every(
      ({ through, attribute, value }) =>
        through.length === 0 && attribute.name === 'id' && value === undefined,
    )
  )
}

export function getPrice(
  plan: ReadPlan,
  values: readonly PlanValue[],
  counted: boolean,
  statistics: Statistics,
): Price {
  const pricing: PriceContext = { values, statistics, parts: new Map(), largest: 0, statement: 0 }
  const rows = Math.min(resolveRows(pricing, plan.schema), estimateMatching(plan.condition, values))
  const times = counted ? 2 : 1
  const found = addCondition(pricing, '', plan.condition, rows, times)
  addStatement(pricing, found + addSort(pricing, '', plan.sort, rows))
  const limit = plan.limit === undefined ? -1 : Number(values[plan.limit])
  addPopulate(pricing, '', plan, limit < 0 ? rows : Math.min(rows, limit))
  return getSum(pricing)
}

interface PriceContext {
  readonly values: readonly PlanValue[]
  readonly statistics: Statistics
  readonly parts: Map<string, number>
  largest: number
  statement: number
}

function resolveRows(pricing: PriceContext, schema: Schema): number {
  const rows = pricing.statistics.getRows(schema)
  pricing.largest = Math.max(pricing.largest, rows)
  return rows
}

/** A filter or sort follows all links of a relation. */
function getLinks(pricing: PriceContext, field: PopulatePlan['attribute']): number {
  const { links } = pricing.statistics.getFanOut(field)
  pricing.largest = Math.max(pricing.largest, links / 2)
  return links
}

function addPart(pricing: PriceContext, part: string, cost: number): void {
  pricing.parts.set(part, (pricing.parts.get(part) ?? 0) + cost)
}

function addStatement(pricing: PriceContext, cost: number): void {
  pricing.statement = Math.max(pricing.statement, cost)
}

function getSum({ parts, largest, statement }: PriceContext): Price {
  let total = 0
  let dearest = { part: '', cost: 0 }
  for (const [part, cost] of parts) {
    total += cost
    if (cost > dearest.cost) dearest = { part, cost: Math.round(cost) }
  }
  return { total: Math.round(total), largest: Math.ceil(largest), statement: Math.round(statement), dearest }
}

/** At most, by the condition's comparisons with unique values. */
function estimateMatching(condition: Condition | undefined, values: readonly PlanValue[]): number {
  if (condition?.kind === 'and')
    return Math.min(...condition.conditions.map((part) => estimateMatching(part, values)))
  if (condition?.kind !== 'compare' || condition.operator.negated) return Number.POSITIVE_INFINITY
  const { attribute, operator, slots } = condition
  if (attribute.name !== 'id' && !attribute.unique) return Number.POSITIVE_INFINITY
  if (operator.kind === 'equal' && !operator.ignoresCase) return 1
  const list = operator.kind === 'in' && slots[0] !== undefined ? values[slots[0]] : undefined
  return Array.isArray(list) ? list.length : Number.POSITIVE_INFINITY
}

/**
 * Adds a part per top-level comparison or relation, so that the message can name the most expensive one.
 * Returns the cost in one of `times` statements.
 */
function addCondition(
  pricing: PriceContext,
  path: string,
  condition: Condition | undefined,
  rows: number,
  times: number,
): number {
  if (condition === undefined) return 0
  if (condition.kind === 'and' || condition.kind === 'or') {
    let cost = 0
    let left = rows
    for (const part of condition.conditions) {
      cost += addCondition(pricing, path, part, left, times)
      if (condition.narrows === true) left *= SHARE_OF_WORD
    }
    return cost
  }
  if (condition.kind === 'not') return addCondition(pricing, path, condition.condition, rows, times)
  const part = `${path === '' ? '' : `populate ${path}, `}filters ${nameOfCondition(condition)}`
  const cost = costOfCondition(pricing, condition, rows)
  addPart(pricing, part, times * cost)
  return cost
}

export function nameOfKey({ through, attribute, value }: SortKey): string {
  return value?.kind === 'relevance'
    ? 'by relevance'
    : [...through, attribute].map(({ name }) => name).join('.')
}

export function nameOfCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions[0] === undefined ? '' : nameOfCondition(condition.conditions[0])
    case 'not':
      return nameOfCondition(condition.condition)
    case 'compare':
      return `${condition.attribute.name} ${condition.operator.name}`
    case 'compareValues':
    case 'textTest':
    case 'valueIsNull':
      return 'a calculated value'
    case 'related':
      return condition.condition === undefined
        ? condition.attribute.name
        : `${condition.attribute.name}.${nameOfCondition(condition.condition)}`
  }
}

function costOfCondition(pricing: PriceContext, condition: Condition, rows: number): number {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      let cost = 0
      for (const part of condition.conditions) cost += costOfCondition(pricing, part, rows)
      return cost
    }
    case 'not':
      return costOfCondition(pricing, condition.condition, rows)
    case 'compare':
      return rows * (getOperatorCost(condition.operator) + getMakingCost(condition.attribute))
    case 'compareValues':
      return rows * (getValueCost(condition.left) + getValueCost(condition.right))
    case 'textTest':
      return rows * (COST.textSearch + getValueCost(condition.text) + getValueCost(condition.part))
    case 'valueIsNull':
      return rows * getValueCost(condition.value)
    case 'related': {
      if (condition.condition === undefined) return rows * COST.lookup
      const links = getLinks(pricing, condition.attribute)
      const inner = costOfCondition(pricing, condition.condition, links)
      return links * COST.link + inner + rows * COST.comparison
    }
  }
}

function addSort(pricing: PriceContext, path: string, keys: readonly SortKey[], rows: number): number {
  let sum = 0
  for (const key of keys) {
    if (key.through.length === 0 && key.attribute.name === 'id' && key.value === undefined) continue
    const part = `${path === '' ? '' : `populate ${path}, `}sort ${nameOfKey(key)}`
    const cost = costOfSort(pricing, key, rows)
    addPart(pricing, part, cost)
    sum += cost
  }
  return sum
}

/**
 * A relation to one is looked up for each row; the values of a relation to many are found once for all rows.
 */
function costOfSort(pricing: PriceContext, { through, attribute, value }: SortKey, rows: number): number {
  let at = rows
  let cost = rows * COST.sorting
  if (value?.kind === 'relevance')
    cost += rows * SHARE_OF_WORD ** Math.min(value.terms.length, 2) * getValueCost(value)
  else cost += rows * (value === undefined ? getMakingCost(attribute) : getValueCost(value))
  for (const field of through) {
    if (isToMany(field)) at = Math.max(at, getLinks(pricing, field))
    cost += at * COST.sortingLink
  }
  return cost
}

/** `shown`: the maximum number of entries at this depth. */
function addPopulate(pricing: PriceContext, path: string, plan: ReadPlan, shown: number): void {
  for (const populate of listPopulated(plan)) {
    const below = path === '' ? populate.attribute.name : `${path}.${populate.attribute.name}`
    const fanOut = pricing.statistics.getFanOut(populate.attribute)
    // Each parent is read once, so at most all links are visited.
    const related = Math.min(fanOut.links, shown * fanOut.most)
    for (const level of listLevels(populate)) addLevel(pricing, below, level, shown, related)
  }
}

function addLevel(
  pricing: PriceContext,
  path: string,
  plan: ReadPlan,
  parents: number,
  related: number,
): void {
  let statement = addCondition(pricing, path, plan.condition, related, 1)
  statement += addSort(pricing, path, plan.sort, related)
  let shown = Math.min(related, resolveRows(pricing, plan.schema))
  if (plan.limit !== undefined && plan.offset !== undefined) {
    const limit = Number(pricing.values[plan.limit])
    const before = Number(pricing.values[plan.offset])
    const paged = parents * COST.page + Math.min(related, parents * before) * COST.link
    const numbered = related * COST.numbering
    const isPaged = parents <= MAX_PAGED_PARENTS && looksAtItself(plan)
    if (related > MAX_UNPAGED_ROWS) {
      addPart(pricing, `populate ${path}`, isPaged ? paged : numbered)
      // Each parent's page is a statement of its own.
      if (!isPaged) statement += numbered
    }
    if (limit >= 0) shown = Math.min(shown, parents * limit)
  }
  addStatement(pricing, statement)
  addPopulate(pricing, path, plan, shown)
}
