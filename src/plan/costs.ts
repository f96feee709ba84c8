// The costs of the database's work for one row or link, in units of about a microsecond of an embedded database.

import type { ScalarAttribute } from '../model/attribute.ts'
import type { Operator } from './operators.ts'
import type { ValueExpression } from './read-plan.ts'

/** Each is measured on a memory database of 10,000 entries (decision 0007). */
export const COST = {
  /** To compare a value of a row. */
  comparison: 0.08,
  /** To compare the beginning or end of a text. */
  textEnd: 0.15,
  /** To search a text for another. */
  textSearch: 0.5,
  /** To ignore case in one of these, added to its cost. */
  ignoringCase: 0.35,
  /** To check whether a row has any link. */
  lookup: 0.5,
  /** To follow a link of a relation that is followed as a whole. */
  link: 0.5,
  /** To sort a row. */
  sorting: 0.3,
  /** To follow a link of one row, to sort the row by an attribute of the related entry. */
  sortingLink: 2.5,
  /** To read the page of members of one parent. */
  page: 10,
  /** To number a row among the members of its parent, when there are many parents. */
  numbering: 2,
} as const

/** The cost of making the value for one row. */
export function costOfValue(value: ValueExpression): number {
  switch (value.kind) {
    case 'attribute':
      return COST.comparison + value.through.length * COST.sortingLink
    case 'slot':
    case 'null':
      return 0
    case 'ordinary':
      return COST.comparison + costOfValue(value.value)
    case 'size':
      return COST.textEnd + costOfValue(value.text)
    case 'arithmetic':
    case 'concat':
      return COST.comparison + costOfValue(value.left) + costOfValue(value.right)
    case 'conditional':
      return value.cases.reduce((sum, one) => sum + COST.textEnd + costOfValue(one.value), 0)
  }
}

/** The cost of making the value of a computed attribute for one row; a stored one is there. */
export function costOfMaking({ computed }: ScalarAttribute): number {
  return computed === undefined ? 0 : COST.textSearch
}

export function costOfOperator({ effort, ignoresCase }: Operator): number {
  return COST[effort] + (ignoresCase ? COST.ignoringCase : 0)
}
