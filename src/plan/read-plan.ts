// A read with every name resolved. The structure of a plan is its shape; values that differ between two queries of one
// shape are in `values`, and the plan refers to them by slot.

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
import type { Operator } from './operators.ts'

/** Index into the query's values. */
export type Slot = number

/** A value that the planner has cast; lists are for `$in`. */
export type PlanValue = ScalarValue | readonly ScalarValue[]

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | {
      readonly kind: 'compare'
      readonly attribute: ScalarAttribute
      readonly operator: Operator
      /** No slot for `$null`, two for `$between`, otherwise one. */
      readonly slots: readonly Slot[]
      /** Whether the text to find is long enough for the attribute's index. */
      readonly indexed?: true
      /** Whether the author's own rule compares a private attribute, which no client may. */
      readonly byRule?: true
    }
  | {
      readonly kind: 'related'
      readonly attribute: RelationAttribute | MediaAttribute | ComponentAttribute
      /** Undefined: any related row matches. */
      readonly condition: Condition | undefined
      /** Rows for which it does not hold count as not related: drafts and entries that the caller may not see. */
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

/** A value made from the attributes of a row; null if it cannot be made. */
export type ValueExpression =
  | {
      readonly kind: 'attribute'
      /** Relations and components to one on the way to the attribute. */
      readonly through: readonly (RelationAttribute | MediaAttribute | ComponentAttribute)[]
      readonly attribute: ScalarAttribute
    }
  | { readonly kind: 'slot'; readonly slot: Slot; readonly column: ValueColumn | 'id' }
  | {
      readonly kind: 'arithmetic'
      readonly operator: Arithmetic
      readonly left: ValueExpression
      readonly right: ValueExpression
      /** Whether a quotient has no fraction. */
      readonly whole: boolean
    }
  /** A number that is 0 or of an ordinary size (`expressions/values.ts`), otherwise null. */
  | { readonly kind: 'ordinary'; readonly value: ValueExpression }
  | { readonly kind: 'concat'; readonly left: ValueExpression; readonly right: ValueExpression }
  /** The number of characters of a text. */
  | { readonly kind: 'size'; readonly text: ValueExpression }
  | {
      readonly kind: 'conditional'
      readonly cases: readonly { readonly when: Condition; readonly value: ValueExpression }[]
    }
  | { readonly kind: 'null' }

export interface SortKey {
  /** Relations and components on the way to the attribute. */
  readonly through: readonly (RelationAttribute | MediaAttribute | ComponentAttribute)[]
  readonly attribute: ScalarAttribute
  readonly descending: boolean
  /** By member of `through`: rows for which it does not hold do not count. */
  readonly only: ReadonlyMap<SortKey['through'][number], Condition>
}

export interface ReadPlan {
  readonly schema: Schema
  /** The columns of the answer, in order; `id` is always read before them. */
  readonly columns: readonly ScalarAttribute[]
  /** Private columns that were not named: objects have them, but do not list them. */
  readonly unlisted?: ReadonlySet<ScalarAttribute>
  /** Whether private attributes may be read at any level, because the caller is users' code. */
  readonly seesPrivate?: true
  readonly condition: Condition | undefined
  readonly sort: readonly SortKey[]
  readonly limit: Slot | undefined
  readonly offset: Slot | undefined
  readonly populate: readonly PopulatePlan[]
  /** Errors of populated members that cannot be read as asked, by key; the rest of the plan is valid. */
  readonly faults?: ReadonlyMap<string, ApiError> | undefined
  /** The entry's own locale and those of its localizations; read after the columns and the populated members. */
  readonly locales?: LocalesPlan | undefined
  /** Of a list that is asked for by cursor; its attributes are read after all others. */
  readonly keyset?: Keyset | undefined
  /** Whether a populated level without sort is read in reverse stored order. */
  readonly reversed?: boolean
}

export interface Keyset {
  /** The beginning of cursors of this query. */
  readonly mark: string
  /** The sort keys, up to the id. */
  readonly attributes: readonly ScalarAttribute[]
  /** Holds for entries behind the cursor; they are shown, and all are counted. Undefined: there is no cursor yet. */
  readonly behind: Condition | undefined
}

export interface LocalesPlan {
  readonly own: ScalarAttribute
  readonly variants: { readonly key: string } & RelatedPlan
}

export type PopulatePlan = {
  /** The key in the answer: the attribute's name, or an alias that the API gave it. */
  readonly key: string
  /** Whether it is private and was not named: objects have it, but do not list it. */
  readonly unlisted?: true
} & PopulatedField

export interface RelatedPlan {
  readonly kind: 'relation'
  readonly attribute: RelationAttribute | MediaAttribute
  readonly many: boolean
  /** Whether the answer shows only the number of entries. */
  readonly count: boolean
  readonly plan: ReadPlan
}

interface MorphPlan {
  readonly type: ContentType
  /** For `related` of files: the media attribute by which the entries show them. */
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

/** How a page was asked for, with limits applied; it decides the form of `meta.pagination`. */
export type Page = (
  | { readonly kind: 'page'; readonly page: number; readonly pageSize: number }
  | { readonly kind: 'offset'; readonly start: number; readonly limit: number }
  | { readonly kind: 'after'; readonly pageSize: number }
) & {
  readonly withCount: boolean
  /** Whether one entry more is read, which shows that a limit cuts the page. */
  readonly readsOneMore?: true
}

/** One query: a plan, the page it shows, and the values of its slots. */
export interface Query {
  readonly plan: ReadPlan
  readonly page: Page | undefined
  readonly values: readonly PlanValue[]
}

/** Up to this many members are read without pages, and the pages are cut out of them; one more row is too many. */
export const FEW_MEMBERS = 500

/** Up to this many parents, pages of members are read one by one; for more parents, all members are numbered. */
export const FEW_PARENTS = 1000

/**
 * Whether filters and sort use only attributes of the members themselves. Filters and sorts through relations are
 * evaluated for all members together; pages read one by one would evaluate them again for each page.
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

/** Whether the value is made from the row alone. */
function looksHere(value: ValueExpression): boolean {
  switch (value.kind) {
    case 'attribute':
      return value.through.length === 0
    case 'slot':
    case 'null':
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

/** All members that are read in addition to the entries of a plan. */
export function listPopulated({ populate, locales }: ReadPlan): readonly PopulatePlan[] {
  return locales === undefined ? populate : [...populate, locales.variants]
}

/** The plans one level below: several for zones and polymorphic relations. */
export function listLevels(populate: PopulatePlan): readonly ReadPlan[] {
  return 'plans' in populate ? populate.plans.map(({ plan }) => plan) : [populate.plan]
}
