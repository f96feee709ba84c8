// The types of `filters`, `sort`, `fields` and `populate`, made from the shape of a content-type.

import type { ContentShape, ManyOrNull, Part, Parts, ToMany, ToOne, Zone } from './content-shape.ts'

/** A value, a list of which one must be equal, or operators. */
export type Condition<T> = T | readonly T[] | Operators<T>

/** The operators of filters; several are joined with "and". */
export interface Operators<T> {
  readonly $eq?: T
  /** As `$eq`, whatever the case of letters. */
  readonly $eqi?: string
  readonly $ne?: T
  readonly $nei?: string
  readonly $lt?: T
  readonly $lte?: T
  readonly $gt?: T
  readonly $gte?: T
  readonly $in?: readonly T[]
  readonly $notIn?: readonly T[]
  readonly $between?: readonly [from: T, to: T]
  readonly $contains?: string
  readonly $containsi?: string
  readonly $notContains?: string
  readonly $notContainsi?: string
  readonly $startsWith?: string
  readonly $startsWithi?: string
  readonly $endsWith?: string
  readonly $endsWithi?: string
  readonly $null?: boolean
  readonly $notNull?: boolean
  readonly $not?: Condition<T>
}

/** Text, numbers and truth values: what a filter compares. Values of json attributes are compared as text. */
export type Comparable<T> = unknown extends T ? string | number | boolean : NonNullable<T>

export type Filters<S extends ContentShape> = {
  readonly id?: Condition<number>
  readonly $and?: readonly Filters<S>[]
  readonly $or?: readonly Filters<S>[]
  readonly $not?: Filters<S> | readonly Filters<S>[]
} & { readonly [K in keyof S['fields']]?: Condition<Comparable<S['fields'][K]>> } & {
  readonly [K in keyof S['members'] as [TargetOf<S['members'][K]>] extends [never] ? never : K]?:
    | Condition<number>
    | Filters<TargetOf<S['members'][K]>>
}

/** The shape that a relation, media attribute or component leads to; never for dynamic zones and any entry. */
export type TargetOf<M> = M extends
  | ToOne<infer To>
  | ToMany<infer To>
  | ManyOrNull<infer To>
  | Part<infer To, unknown>
  | Parts<infer To>
  ? To
  : never

export type FieldName<S extends ContentShape> = (keyof S['fields'] & string) | 'id'

/** A list of attributes, or `*`. */
export type Fields<S extends ContentShape> = '*' | FieldName<S> | readonly (FieldName<S> | '*')[]

/** An attribute, or one behind a relation or component: `author.name`. */
export type SortPath<S extends ContentShape> =
  | FieldName<S>
  | {
      [K in keyof S['members'] & string]: [TargetOf<S['members'][K]>] extends [never]
        ? never
        :
            | `${K}.${FieldName<TargetOf<S['members'][K]>>}`
            | `${K}.${PopulatedName<TargetOf<S['members'][K]>>}.${string}`
    }[keyof S['members'] & string]

export type SortText<S extends ContentShape> = SortPath<S> | `${SortPath<S>}:${'asc' | 'desc'}`

/** `'title'`, `'title:desc'`, `'author.name:asc'`, a list of these, or `{ title: 'desc' }`. */
export type Sort<S extends ContentShape> = SortText<S> | readonly SortText<S>[] | SortObject<S>

export type SortObject<S extends ContentShape> = {
  readonly [K in FieldName<S>]?: 'asc' | 'desc'
} & {
  readonly [K in keyof S['members'] as [TargetOf<S['members'][K]>] extends [never] ? never : K]?: SortObject<
    TargetOf<S['members'][K]>
  >
}

export type PopulatedName<S extends ContentShape> = keyof S['members'] & string

export type PopulatedPath<S extends ContentShape> = PopulatedName<S> | `${PopulatedName<S>}.${string}`

/** `'*'`, a member, a path (`'author.picture'`), a list of these, or options by member. */
export type Populate<S extends ContentShape> =
  | '*'
  | PopulatedPath<S>
  | readonly ('*' | PopulatedPath<S>)[]
  | PopulateObject<S>

export type PopulateObject<S extends ContentShape> = {
  readonly [K in keyof S['members']]?: boolean | '*' | FieldQuery<S['members'][K]>
}

export type FieldQuery<M> =
  M extends Zone<infer Of>
    ? ZoneQuery<Of>
    : [TargetOf<M>] extends [never]
      ? { readonly populate?: '*' }
      : RelatedQuery<TargetOf<M>>

/** Options for the entries of a relation, media attribute or component. */
export interface RelatedQuery<S extends ContentShape> {
  readonly filters?: Filters<S>
  readonly sort?: Sort<S>
  readonly fields?: Fields<S>
  readonly populate?: Populate<S>
  readonly publicationState?: 'live' | 'preview'
  /** True: how many entries there are, in place of them. */
  readonly count?: boolean
  readonly start?: number
  readonly limit?: number
}

/** Options for the components of a dynamic zone: for all of them, or by uid. */
export interface ZoneQuery<Of> {
  /** Each component takes the names that it has. */
  readonly populate?: string | readonly string[] | { readonly [member: string]: unknown }
  readonly fields?: string | readonly string[]
  readonly on?: {
    readonly [K in keyof Of]?: boolean | '*' | (Of[K] extends ContentShape ? RelatedQuery<Of[K]> : never)
  }
}

/** Refuses names in `populate: { … }` that are no members. */
export type OnlyPopulated<S extends ContentShape, P> = P extends string | readonly unknown[] | undefined
  ? unknown
  : { readonly [K in keyof P]: K extends keyof S['members'] ? unknown : never }
