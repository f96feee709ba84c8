// Declares the types of `filters`, `sort`, `fields` and `populate`.

import type {
  ComponentField,
  ComponentList,
  ContentShape,
  ManyOrNull,
  ToMany,
  ToOne,
  Zone,
} from './content-shape.ts'

/** A list matches when one of its values is equal. */
export type Condition<T> = T | readonly T[] | Operators<T>

/** Several operators are joined with "and". */
export interface Operators<T> {
  readonly $eq?: T
  /** Like `$eq`, but ignores case. */
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

/** Values of json attributes are compared as text. */
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

/** Never for dynamic zones and any entry. */
export type TargetOf<M> = M extends
  | ToOne<infer To>
  | ToMany<infer To>
  | ManyOrNull<infer To>
  | ComponentField<infer To, unknown>
  | ComponentList<infer To>
  ? To
  : never

export type FieldName<S extends ContentShape> = (keyof S['fields'] & string) | 'id'

export type Fields<S extends ContentShape> = '*' | FieldName<S> | readonly (FieldName<S> | '*')[]

/** Also behind a relation or component: `author.name`. */
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

/** `'*'`, a populated field, a path (`'author.picture'`), a list of these, or options by field. */
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

export interface RelatedQuery<S extends ContentShape> {
  readonly filters?: Filters<S>
  readonly sort?: Sort<S>
  readonly fields?: Fields<S>
  readonly populate?: Populate<S>
  readonly publicationState?: 'live' | 'preview'
  /** Returns the number of entries instead. */
  readonly count?: boolean
  readonly start?: number
  readonly limit?: number
}

/** For all components, or by uid. */
export interface ZoneQuery<Of> {
  /** Each component ignores names that it does not have. */
  readonly populate?: string | readonly string[] | { readonly [member: string]: unknown }
  readonly fields?: string | readonly string[]
  readonly on?: {
    readonly [K in keyof Of]?: boolean | '*' | (Of[K] extends ContentShape ? RelatedQuery<Of[K]> : never)
  }
}

/** Refuses names that cannot be populated. */
export type OnlyPopulated<S extends ContentShape, P> = P extends string | readonly unknown[] | undefined
  ? unknown
  : { readonly [K in keyof P]: K extends keyof S['members'] ? unknown : never }
