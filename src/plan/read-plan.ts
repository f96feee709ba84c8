// A resolved read. Queries of one structure differ only in `values`, to which the plan refers by slot.

import type { ScalarValue, ValueColumn } from '../attribute-types/attribute-type.ts'
import type { Arithmetic, Comparison, TextTest } from '../expressions/expression.ts'
import type { ApiError } from '../lib/errors/api-error.ts'
import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../model/attribute.ts'
import type { Component, ContentType, Schema } from '../model/content-type.ts'
import type { JsonPath } from '../model/json-path.ts'
import type { Operator } from './operators.ts'

export type Slot = number

export type PlanValue = ScalarValue | readonly ScalarValue[]

export type Condition =
  | {
      readonly kind: 'and' | 'or'
      readonly conditions: readonly Condition[]
      /** Of `and`: each condition leaves few entries for the next, as the words of a search do. */
      readonly narrows?: true
    }
  | { readonly kind: 'not'; readonly condition: Condition }
  | {
      readonly kind: 'compare'
      readonly attribute: ScalarAttribute
      readonly operator: Operator
      /** None for `$null`, two for `$between`, otherwise one. */
      readonly slots: readonly Slot[]
      /** Whether the text is long enough for the attribute's index. */
      readonly indexed?: true
      /** Whether the author's rule compares a private attribute, which clients may not. */
      readonly byRule?: true
    }
  | {
      readonly kind: 'related'
      readonly attribute: RelationAttribute | MediaAttribute | ComponentAttribute
      readonly condition: Condition | undefined
      /** Other rows count as not related: drafts and entries hidden from the caller. */
      readonly only?: Condition | undefined
    }
  /** A comparison of two values, of which at least one is more than an attribute. */
  | {
      readonly kind: 'compareValues'
      readonly operator: Comparison
      readonly left: ValueExpression
      readonly right: ValueExpression
    }
  | {
      readonly kind: 'textTest'
      readonly test: TextTest
      readonly text: ValueExpression
      readonly part: ValueExpression
    }
  | { readonly kind: 'valueIsNull'; readonly value: ValueExpression }

/** Null if it cannot be calculated. */
export type ValueExpression =
  | {
      readonly kind: 'attribute'
      readonly through: readonly (RelationAttribute | MediaAttribute | ComponentAttribute)[]
      readonly attribute: ScalarAttribute
    }
  | { readonly kind: 'slot'; readonly slot: Slot; readonly column: ValueColumn | 'id' }
  | {
      readonly kind: 'arithmetic'
      readonly operator: Arithmetic
      readonly left: ValueExpression
      readonly right: ValueExpression
      /** Integer division. */
      readonly whole: boolean
    }
  /** A number that is 0 or of an ordinary size (`expressions/values.ts`), otherwise null. */
  | { readonly kind: 'ordinary'; readonly value: ValueExpression }
  | { readonly kind: 'concat'; readonly left: ValueExpression; readonly right: ValueExpression }
  /** The number of related entries that the caller may see, or of components. */
  | {
      readonly kind: 'links'
      readonly attribute: RelationAttribute | MediaAttribute | ComponentAttribute
      readonly only: Condition | undefined
    }
  /**
   * A value inside a JSON attribute: its JSON text (of a string itself), the number that it is, or as a key of an index the
   * text if it has at most `MAX_KEY_LENGTH` characters.
   */
  | {
      readonly kind: 'json'
      readonly attribute: ScalarAttribute
      /** Itself if it has an index. */
      readonly path: Slot | JsonPath
      readonly as: 'text' | 'number' | 'key'
    }
  /** A number above 0 for texts that contain a term, larger for more occurrences in a shorter text. */
  | {
      readonly kind: 'relevance'
      readonly attributes: readonly ScalarAttribute[]
      readonly terms: readonly Slot[]
    }
  /** The number of characters of a text. */
  | { readonly kind: 'size'; readonly text: ValueExpression }
  | {
      readonly kind: 'conditional'
      readonly cases: readonly { readonly when: Condition; readonly value: ValueExpression }[]
    }
  | { readonly kind: 'null' }

export interface SortKey {
  readonly through: readonly (RelationAttribute | MediaAttribute | ComponentAttribute)[]
  readonly attribute: ScalarAttribute
  /** Sorts by it instead of the attribute's own value. */
  readonly value?: ValueExpression
  /** Whether the key is the number of entries at the end of the path. */
  readonly counts?: true
  readonly descending: boolean
  /** Rows that do not meet it are ignored. */
  readonly only: ReadonlyMap<SortKey['through'][number], Condition>
}

/** Characters; PostgreSQL's indexes hold up to 2,700 bytes. */
export const MAX_KEY_LENGTH = 200

export type JsonPaths = readonly JsonPath[]

export interface ReadPlan {
  readonly schema: Schema
  /** `id` is always read before them. */
  readonly columns: readonly ScalarAttribute[]
  /** Of JSON attributes that are not shown whole. */
  readonly jsonPaths?: ReadonlyMap<ScalarAttribute, JsonPaths>
  /** Private columns that were not named: entry objects have them as non-enumerable properties. */
  readonly unlisted?: ReadonlySet<ScalarAttribute>
  /** Whether private attributes may be read at any depth, because the caller is users' code. */
  readonly seesPrivate?: true
  readonly condition: Condition | undefined
  readonly sort: readonly SortKey[]
  readonly limit: Slot | undefined
  readonly offset: Slot | undefined
  readonly populate: readonly PopulatePlan[]
  /** Errors of populated fields by key; the rest of the plan is valid. */
  readonly faults?: ReadonlyMap<string, ApiError> | undefined
  /** The locales of the entry and its locale variants; read after the columns and the populated fields. */
  readonly locales?: LocalesPlan | undefined
  /** Read after all others but the highlighted texts. */
  readonly revision?: ScalarAttribute | undefined
  /** Its attributes are read after all but the revision. */
  readonly keyset?: Keyset | undefined
  readonly reversed?: boolean
  /** Its texts are read last. */
  readonly highlights?: Highlights
}

/** Marks the terms in texts. */
export interface Highlights {
  readonly attributes: readonly ScalarAttribute[]
  readonly terms: readonly Slot[]
}

export interface Keyset {
  readonly mark: string
  readonly attributes: readonly ScalarAttribute[]
  /**
   * Matches the entries after the cursor for the page; the total counts all entries. Undefined without a
   * cursor.
   */
  readonly behind: Condition | undefined
}

export interface LocalesPlan {
  readonly own: ScalarAttribute
  readonly variants: { readonly key: string } & RelatedPlan
}

export type PopulatePlan = {
  readonly key: string
  /** Whether entry objects have it as a non-enumerable property, since it is private and was not named. */
  readonly unlisted?: true
} & PopulatedField

export interface RelatedPlan {
  readonly kind: 'relation'
  readonly attribute: RelationAttribute | MediaAttribute
  readonly many: boolean
  readonly count: boolean
  readonly plan: ReadPlan
}

interface MorphPlan {
  readonly type: ContentType
  readonly through: MediaAttribute | undefined
  readonly plan: ReadPlan
}

export type PopulatedField =
  | RelatedPlan
  | {
      readonly kind: 'component'
      readonly attribute: ComponentAttribute
      readonly many: boolean
      readonly plan: ReadPlan
    }
  | {
      readonly kind: 'zone'
      readonly attribute: DynamicZoneAttribute
      readonly plans: readonly { readonly component: Component; readonly plan: ReadPlan }[]
    }
  | {
      readonly kind: 'morph'
      readonly attribute: RelationAttribute
      readonly many: boolean
      readonly plans: readonly MorphPlan[]
    }

export type Page = (
  | { readonly kind: 'page'; readonly page: number; readonly pageSize: number }
  | { readonly kind: 'offset'; readonly start: number; readonly limit: number }
  | { readonly kind: 'after'; readonly pageSize: number }
) & {
  readonly withCount: boolean
  readonly readsOneMore?: true
}

export interface Query {
  readonly plan: ReadPlan
  readonly page: Page | undefined
  readonly values: readonly PlanValue[]
}

/** Up to this many related entries are read at once and cut into pages. */
export const MAX_UNPAGED_ROWS = 500

/** Up to this many parents, pages are read one by one; for more, all related entries are numbered. */
export const MAX_PAGED_PARENTS = 1000

/**
 * Conditions through relations are evaluated for all related entries together; pages read one by one would
 * repeat them.
 */
export function looksAtItself({ condition, sort }: ReadPlan): boolean {
  return (
    sort.every(({ through }) => through.length === 0) && (condition === undefined || comparesOnly(condition))
  )
}

function comparesOnly(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.every(comparesOnly)
    case 'not':
      return comparesOnly(condition.condition)
    case 'compare':
      return true
    case 'related':
      return false
    case 'compareValues':
      return looksHere(condition.left) && looksHere(condition.right)
    case 'textTest':
      return looksHere(condition.text) && looksHere(condition.part)
    case 'valueIsNull':
      return looksHere(condition.value)
  }
}

function looksHere(value: ValueExpression): boolean {
  switch (value.kind) {
    case 'attribute':
      return value.through.length === 0
    case 'links':
      return false
    case 'slot':
    case 'null':
    case 'json':
    case 'relevance':
      return true
    case 'ordinary':
      return looksHere(value.value)
    case 'size':
      return looksHere(value.text)
    case 'arithmetic':
    case 'concat':
      return looksHere(value.left) && looksHere(value.right)
    case 'conditional':
      return value.cases.every((one) => comparesOnly(one.when) && looksHere(one.value))
  }
}

export function listPopulated({ populate, locales }: ReadPlan): readonly PopulatePlan[] {
  return locales === undefined ? populate : [...populate, locales.variants]
}

export function listLevels(populate: PopulatePlan): readonly ReadPlan[] {
  return 'plans' in populate ? populate.plans.map(({ plan }) => plan) : [populate.plan]
}
