// A resolved aggregate: the entries that are summed up, the keys of their groups, and the values per group.

import type { Operator } from './operators.ts'
import type { Page, PlanValue, ReadPlan, Slot, SortKey } from './read-plan.ts'

export const aggregateFunctions = ['count', 'countDistinct', 'min', 'max', 'sum', 'avg'] as const

export type AggregateFunction = (typeof aggregateFunctions)[number]

export const dateParts = ['day', 'week', 'month', 'year'] as const

export type DatePart = (typeof dateParts)[number]

/** A parsed aggregate of REST or GraphQL, whose names are not yet resolved. */
export interface AggregateInput {
  /** `avg.rating`; `count` counts entries, `count.rating` those with a rating. */
  readonly measures: readonly string[]
  /** `author.name`, `month(createdAt)`. */
  readonly groupBy: readonly string[]
  /** Operators by measure: `{ avg.rating: { $gt: 3 } }`. */
  readonly having: Readonly<Record<string, unknown>>
  /** By the names of measures and groups. */
  readonly sort: readonly { readonly name: string; readonly descending: boolean }[]
}

export interface GroupKey {
  readonly name: string
  readonly key: SortKey
  readonly part: DatePart | undefined
}

export interface Measure {
  readonly name: string
  readonly fn: AggregateFunction
  /** Undefined counts entries. */
  readonly key: SortKey | undefined
}

export interface MeasureCondition {
  readonly measure: Measure
  readonly operator: Operator
  readonly slot: Slot
}

export interface AggregatePlan {
  /** The entries; its sort keys are those of the groups and the measures. */
  readonly entries: ReadPlan
  readonly groups: readonly GroupKey[]
  readonly measures: readonly Measure[]
  /** How many of the measures the caller asked for; the others are for `having` and `sort`. */
  readonly shown: number
  readonly having: readonly MeasureCondition[]
  readonly order: readonly { readonly by: GroupKey | Measure; readonly descending: boolean }[]
  readonly limit: Slot
  readonly offset: Slot
}

export interface AggregateQuery {
  readonly plan: AggregatePlan
  readonly page: Page
  readonly values: readonly PlanValue[]
}
