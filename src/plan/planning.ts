// The state of one planning run: the values found so far, the caller's access, and the counts that are limited.

import { ApiError } from '../lib/errors/api-error.ts'
import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import type { PlanValue, Slot } from './read-plan.ts'

/** The limits of one query; beyond them the answer is a 400 that names the limit. */
export const planLimits = {
  /** Comparisons in all filters of a query, and the relations and components on the way to each. */
  predicates: 1000,
  /** Relations that one statement looks through: those of filters, of sort, and of rules that apply behind them. */
  relations: 340,
  /** Relations and components on the way to one compared attribute. */
  hops: 10,
  /** Levels of `$and`, `$or`, `$not`. */
  nesting: 20,
  /** Elements of one list of values. */
  listLength: 1000,
  /** Characters of one value. */
  valueLength: 4096,
  /** Levels of populate. */
  populateDepth: 20,
  /** Populated relations, components and zones in total. */
  populateNodes: 500,
  /** Rows of entries and components that one answer is made of. */
  rows: 100_000,
  /** Characters of the names and values that one answer is made of. */
  characters: 16_000_000,
  /** Relations to many on the way to one sort key; the sort values are found for all entries at once. */
  sortedToMany: 2,
  /** Sort keys. */
  sortKeys: 20,
  /** Components and related entries of one write, unless the configuration sets another number. */
  writeRows: 10_000,
  /** Passwords of one write. */
  passwords: 20,
} as const

export interface PlanContext {
  readonly access: Access
  readonly values: PlanValue[]
  /** Whether text that a JSON attribute is compared with is read as JSON, as Strapi 5 does. */
  readonly readsJson: boolean
  /** Whether names in populate that lead nowhere are left out, as in Strapi 4; otherwise they are refused. */
  ignoresUnknown: boolean
  predicates: number
  populateNodes: number
}

/** `type`: whose entries are asked for. */
export function startPlanning(access: Access, type?: ContentType): PlanContext {
  const readsJson = type?.document !== undefined
  return { access, values: [], readsJson, ignoresUnknown: false, predicates: 0, populateNodes: 0 }
}

/** Stores a value and returns its slot. */
export function slot(planning: PlanContext, value: PlanValue): Slot {
  planning.values.push(value)
  return planning.values.length - 1
}

/** Thrown when a limit of the whole query is exceeded. */
export class TooMuchError extends ApiError {
  constructor(what: string, limit: number) {
    super('ValidationError', `Too many ${what}: at most ${limit} are allowed`)
  }
}

export function tooMuch(what: string, limit: number): TooMuchError {
  return new TooMuchError(what, limit)
}

export function countPredicate(planning: PlanContext): void {
  planning.predicates += 1
  if (planning.predicates > planLimits.predicates) throw tooMuch('filter conditions', planLimits.predicates)
}
