// The state of one planning run: values, access and limited counts.

import { ApiError } from '../lib/errors/api-error.ts'
import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params, PublicationState } from './params.ts'
import type { PlanValue, Slot } from './read-plan.ts'

/** A query beyond them gets a 400 that names the limit. */
export const planLimits = {
  /** Comparisons in all filters, plus the relations and components on their paths. */
  predicates: 1000,
  /** Per statement: in filters, sort and rules. */
  relations: 340,
  /** Relations and components on one attribute's path. */
  hops: 10,
  nesting: 20,
  listLength: 1000,
  /** Characters. */
  valueLength: 4096,
  populateDepth: 20,
  populateNodes: 500,
  /** Rows of entries and components in one response. */
  rows: 100_000,
  /** Characters of names and values in one response. */
  characters: 16_000_000,
  /** Relations to many on the path of one sort key; the sort values are found for all entries at once. */
  sortedToMany: 2,
  sortKeys: 20,
  /** In `_q`; each is looked for in every text. */
  searchTerms: 8,
  /** Of `_q`, the longest: counting a term takes twice as long as looking for it. */
  rankedTerms: 4,
  writeRows: 10_000,
  passwords: 20,
} as const

export interface PlanContext {
  readonly access: Access
  readonly values: PlanValue[]
  /** Whether text compared with a JSON attribute is parsed as JSON, as in Strapi 5. */
  readonly readsJson: boolean
  /** The state in which related entries are counted and summed up. */
  readonly state: PublicationState
  /** Whether unknown names in populate are ignored, as in Strapi 4. */
  ignoresUnknown: NonNullable<Params['ignoresUnknown']>
  predicates: number
  populateNodes: number
}

export function startPlanning(
  access: Access,
  type?: ContentType,
  state: PublicationState = 'preview',
): PlanContext {
  const readsJson = type?.document !== undefined
  return { access, values: [], readsJson, state, ignoresUnknown: false, predicates: 0, populateNodes: 0 }
}

/** Returns false if an unknown name must be refused. */
export function ignoreName({ ignoresUnknown }: PlanContext, name: string, place: string): boolean {
  if (typeof ignoresUnknown === 'boolean') return ignoresUnknown
  ignoresUnknown(name, place)
  return true
}

export function slot(planning: PlanContext, value: PlanValue): Slot {
  planning.values.push(value)
  return planning.values.length - 1
}

export class TooMuchError extends ApiError {
  constructor(what: string, limit: number) {
    super('ValidationError', `Too many ${what}: at most ${limit} are allowed`)
  }
}

export function createTooMuch(what: string, limit: number): TooMuchError {
  return new TooMuchError(what, limit)
}

export function countPredicate(planning: PlanContext): void {
  planning.predicates += 1
  if (planning.predicates > planLimits.predicates)
    throw createTooMuch('filter conditions', planLimits.predicates)
}
