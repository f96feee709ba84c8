// The state of one planning run: the values found so far, the caller's access, and the counts that are limited.

import { ApiError } from '../errors/api-error.ts'
import type { Expression } from '../expressions/expression.ts'
import type { ContentType } from '../model/content-type.ts'
import type { PlanValue, Slot } from './read-plan.ts'

/** The limits of one question; beyond them the answer is a 400 that names the limit. */
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
  /** Populated relations, components and zones in total. */
  populateNodes: 500,
  /** Rows of entries and components that one answer is made of. */
  rows: 100_000,
  /** Characters of the names and values that one answer is made of. */
  characters: 16_000_000,
  /** Relations to many on the way to one sort key; the sort values are found for all entries at once. */
  sortedToMany: 1,
  /** Sort keys. */
  sortKeys: 20,
  /** Components and related entries of one write, unless the configuration sets another number. */
  writeRows: 10_000,
  /** Passwords of one write. */
  passwords: 20,
} as const

export interface Access {
  /** Whether the caller may `find` entries of a content-type, and so populate, filter and sort by them. */
  visible(type: ContentType): boolean
  /** Whether the caller may see the type's drafts; otherwise they are hidden, however they are reached. */
  seesDrafts(type: ContentType): boolean
  /** Which drafts the caller sees who does not see all; undefined: none. */
  draftsOf(type: ContentType): EntryRule | undefined
  /** Whether the caller may change every entry of the type, also through links from other entries. */
  mayUpdate(type: ContentType): boolean
  /** Which entries of the type exist for the caller, by which read; undefined: all of them. */
  whereOf(type: ContentType, action: ReadAction): EntryRule | undefined
  /** The attributes that the caller may read of an entry; undefined: all of them. */
  readable(type: ContentType, action: ReadAction): ReadonlySet<string> | undefined
  /** Under which conditions the caller may write; undefined: without any. */
  writeRule(type: ContentType, action: WriteAction): WriteRule | undefined
}

/** Nothing is hidden: for the author's own rules, which look at everything. */
export const everything: Access = {
  visible: () => true,
  seesDrafts: () => true,
  draftsOf: () => undefined,
  mayUpdate: () => true,
  whereOf: () => undefined,
  readable: () => undefined,
  writeRule: () => undefined,
}

export type ReadAction = 'find' | 'findOne'
export type WriteAction = 'create' | 'createLocalization' | 'update' | 'delete'

/** An entry exists if one of the conditions holds. */
export interface EntryRule {
  readonly anyOf: readonly Expression[]
  /** The values of the names in the conditions that are no attributes. */
  readonly variables: Readonly<Record<string, unknown>>
}

/** A write is allowed if one of the alternatives allows it. */
export interface WriteRule {
  readonly alternatives: readonly WriteAlternative[]
  readonly variables: Readonly<Record<string, unknown>>
}

export interface WriteAlternative {
  /** Which entries may be written; undefined: all. */
  readonly where: Expression | undefined
  /** What must hold of the entry afterwards. */
  readonly check: Expression | undefined
  /** Values that the server sets, by attribute. */
  readonly set: ReadonlyMap<string, Expression>
  /** The attributes that the payload may name; undefined: all. */
  readonly fields: ReadonlySet<string> | undefined
  /** Where the file says so, and in which words. */
  readonly place: string
  readonly texts: { readonly where?: string | undefined; readonly check?: string | undefined }
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

/** Stores a value and returns its slot. */
export function slot(planning: Planning, value: PlanValue): Slot {
  planning.values.push(value)
  return planning.values.length - 1
}

/** Thrown when a limit of the whole question is exceeded. */
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
