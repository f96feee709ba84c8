// The costs of database work per row or link, in units of about a microsecond.

import type { ScalarAttribute } from '../model/attribute.ts'
import type { Operator } from './operators.ts'
import type { ValueExpression } from './read-plan.ts'

/** Measured on an in-memory database of 10,000 entries. */
export const COST = {
  comparison: 0.08,
  textEnd: 0.15,
  textSearch: 0.5,
  ignoringCase: 0.35,
  /** Per text and term of an entry that was found. */
  relevance: 2,
  lookup: 0.5,
  /** When all links of a relation are followed at once. */
  link: 0.5,
  sorting: 0.3,
  /** To follow one row's link, to sort by an attribute of the related entry. */
  sortingLink: 2.5,
  page: 10,
  /** To number a row among its parent's related entries. */
  numbering: 2,
} as const

/** The share of the entries that a word of a search is taken to leave. */
export const SHARE_OF_WORD = 1 / 4

export function getValueCost(value: ValueExpression): number {
  switch (value.kind) {
    case 'attribute':
      return COST.comparison + value.through.length * COST.sortingLink
    case 'json':
      return COST.textSearch
    case 'relevance':
      return COST.relevance * value.attributes.length * value.terms.length
    case 'links':
      return COST.sortingLink + COST.link
    case 'slot':
    case 'null':
      return 0
    case 'ordinary':
      return COST.comparison + getValueCost(value.value)
    case 'size':
      return COST.textEnd + getValueCost(value.text)
    case 'arithmetic':
    case 'concat':
      return COST.comparison + getValueCost(value.left) + getValueCost(value.right)
    case 'conditional':
      return value.cases.reduce((sum, one) => sum + COST.textEnd + getValueCost(one.value), 0)
  }
}

export function getMakingCost({ computed }: ScalarAttribute): number {
  return computed === undefined ? 0 : COST.textSearch
}

export function getOperatorCost({ effort, ignoresCase }: Operator): number {
  return COST[effort] + (ignoresCase ? COST.ignoringCase : 0)
}
