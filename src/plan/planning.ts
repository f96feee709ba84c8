// What one planning run carries along: the values found so far, what the caller may see, and what it has cost.

import { ApiError } from '../errors/api-error.ts'
import type { ContentType } from '../model/content-type.ts'
import type { PlanValue, Slot } from './read-plan.ts'

/** The most that one question may ask for; beyond it the answer is a 400 that names the limit. */
export const planLimits = {
  /** Comparisons in all filters of a question. */
  predicates: 1000,
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
  /** Populated relations, components and zones in all. */
  populateNodes: 500,
  /** Rows of entries and components that one answer is made of. */
  rows: 100_000,
  /** Characters of the names and values that one answer is made of. */
  characters: 16_000_000,
  /** Relations to many on the way to one sort key: its values are found for all of them at once. */
  sortedToMany: 1,
  /** Sort keys. */
  sortKeys: 20,
  /** Components and related entries of one write, where the configuration says nothing else. */
  writeRows: 10_000,
  /** Passwords of one write. */
  passwords: 20,
} as const

export interface Access {
  /** Whether the caller may `find` entries of a content-type: others are not populated, filtered or sorted by. */
  visible(type: ContentType): boolean
  /** Whether the caller may see its drafts: else they are as though not there, however they are reached. */
  seesDrafts(type: ContentType): boolean
  /** Whether the caller may change its entries, also by what is linked to them. */
  mayUpdate(type: ContentType): boolean
}

export interface Planning {
  readonly access: Access
  readonly values: PlanValue[]
  predicates: number
  populateNodes: number
}

export function startPlanning(access: Access): Planning {
  return { access, values: [], predicates: 0, populateNodes: 0 }
}

/** Keeps a value and says in which slot it stands. */
export function slot(planning: Planning, value: PlanValue): Slot {
  planning.values.push(value)
  return planning.values.length - 1
}

/** A limit of the whole question. */
export class TooMuchError extends ApiError {
  constructor(what: string, limit: number) {
    super('ValidationError', `Too many ${what}: at most ${limit} are allowed`)
  }
}

export function tooMuch(what: string, limit: number): TooMuchError {
  return new TooMuchError(what, limit)
}

export function countPredicate(planning: Planning): void {
  planning.predicates += 1
  if (planning.predicates > planLimits.predicates) throw tooMuch('filter conditions', planLimits.predicates)
}
