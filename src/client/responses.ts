// Declares the types of responses, flat and in Strapi 4's envelope.

import type {
  AnyEntity,
  AnyEntry,
  AnyMany,
  AnyOne,
  ComponentField,
  ComponentList,
  ContentShape,
  ManyOrNull,
  OfDocuments,
  ToMany,
  ToOne,
  Zone,
} from './content-shape.ts'
import type { Populate, PopulatedName } from './queries.ts'

/** Flattens an intersection, for readers. */
export type Plain<T> = { readonly [K in keyof T]: T[K] }

type PopulateOf<C> = C extends { readonly populate: infer P } ? P : undefined
/** Nested queries may override it. */
type StateOf<C, State> = C extends { readonly publicationState: infer Own } ? Own : State
type FieldsOf<C> = C extends { readonly fields: infer F } ? F : undefined

/** `{ author: { populate: 'picture' } }`. */
export type PopulateMap<S extends ContentShape, P> = P extends '*'
  ? { readonly [K in keyof S['members']]: unknown }
  : P extends string
    ? PopulatePathMap<S, P>
    : P extends readonly (infer E)[]
      ? PopulatePathMap<S, E>
      : P extends object
        ? {
            readonly [K in keyof P & keyof S['members'] as P[K] extends false | undefined
              ? never
              : K]: P[K] extends '*' ? { readonly populate: '*' } : P[K]
          }
        : unknown

type PopulatePathMap<S extends ContentShape, E> = {
  readonly [K in PopulatedName<S> as '*' extends E
    ? K
    : Extract<E, K | `${K}.${string}`> extends never
      ? never
      : K]: { readonly populate: readonly PathBelow<E, K>[] }
}

type PathBelow<E, K extends string> = E extends `${K}.${infer Below}` ? Below : never

/** Whether `P` is known only at run time: then populated fields are optional. */
type IsOpen<S extends ContentShape, P> = string extends P ? true : Populate<S> extends P ? true : false

type Scalars<S extends ContentShape, F, State> = {
  readonly [K in keyof S['fields'] as IsNamed<K, F> extends true ? K : never]: PublishedValue<
    S['fields'][K],
    K,
    S,
    State
  >
}

type IsNamed<K, F> = F extends undefined
  ? true
  : F extends readonly (infer E)[]
    ? K extends E
      ? true
      : '*' extends E
        ? true
        : string extends E
          ? true
          : false
    : F extends '*'
      ? true
      : string extends F
        ? true
        : K extends F
          ? true
          : false

/** Removes null if the attribute is never null in published entries and the entry is one. */
type PublishedValue<T, K, S extends ContentShape, State> = State extends 'live' | 'published'
  ? K extends S['published']
    ? Exclude<T, null>
    : T
  : T

type IdsOf<S extends ContentShape> = S extends { readonly ids: infer Ids } ? Ids : { readonly id: number }

/** `C`: the `populate` and `fields` of the query; `State` `live` or `published` excludes drafts. */
export type FlatEntry<S extends ContentShape, C = unknown, State = 'preview'> =
  IsOpen<S, PopulateOf<C>> extends true
    ? S['flat']
    : Plain<IdsOf<S> & Scalars<S, FieldsOf<C>, State> & FlatFields<S, PopulateMap<S, PopulateOf<C>>, State>>

type FlatFields<S extends ContentShape, PopulatedFields, State> = {
  readonly [K in keyof PopulatedFields & keyof S['members']]: PublishedValue<
    FlatField<S['members'][K], PopulatedFields[K], State>,
    K,
    S,
    State
  >
}

type FlatField<M, C, State> =
  M extends ToOne<infer To>
    ? FlatEntry<To, C, StateOf<C, State>> | null
    : M extends ToMany<infer To> | ManyOrNull<infer To>
      ? C extends { readonly count: true }
        ? { readonly count: number }
        : readonly FlatEntry<To, C, StateOf<C, State>>[]
      : M extends ComponentField<infer To, infer Empty>
        ? FlatEntry<To, C, StateOf<C, State>> | Empty
        : M extends ComponentList<infer To>
          ? readonly FlatEntry<To, C, StateOf<C, State>>[]
          : M extends Zone<infer Of>
            ? readonly {
                [K in keyof Of]: Of[K] extends ContentShape
                  ? { readonly __component: K } & FlatEntry<Of[K], ChoiceOn<C, K>, State>
                  : never
              }[keyof Of][]
            : M extends AnyOne
              ? AnyEntry | null
              : M extends AnyMany
                ? readonly AnyEntry[]
                : never

/** The component's own options, else the shared ones that it has. */
type ChoiceOn<C, K> = C extends { readonly on: infer On }
  ? K extends keyof On
    ? On[K] extends '*'
      ? { readonly populate: '*' }
      : On[K]
    : unknown
  : C

/** Over REST: `{ id, attributes }`, and of documents `{ id, documentId, … }`. */
export type Entity<S extends ContentShape, C = unknown, State = 'preview'> = S extends OfDocuments
  ? FlatEntry<S, C, State>
  : IsOpen<S, PopulateOf<C>> extends true
    ? S['entity']
    : { readonly id: number; readonly attributes: Attributes<S, C, State> }

/** `meta` is present in cms-run, and missing in Strapi. */
export type Subject<S extends ContentShape, C = unknown, State = 'preview'> = Entity<S, C, State> & {
  readonly meta?: { readonly availableLocales: readonly string[] }
}

export type Attributes<S extends ContentShape, C = unknown, State = 'preview'> = Plain<
  Scalars<S, FieldsOf<C>, State> & EntityFields<S, PopulateMap<S, PopulateOf<C>>, State>
>

/** Present if the caller may `find` the target; lists of entries of any type only with entries. */
type EntityFields<S extends ContentShape, PopulatedFields, State> = {
  readonly [K in keyof PopulatedFields & keyof S['members'] as S['members'][K] extends AnyMany
    ? never
    : K]: PublishedValue<EntityField<S['members'][K], PopulatedFields[K], State>, K, S, State>
} & {
  readonly [K in keyof PopulatedFields & keyof S['members'] as S['members'][K] extends AnyMany
    ? K
    : never]?: readonly AnyEntity[]
}

type Count = { readonly data: { readonly attributes: { readonly count: number } } }

type EntityField<M, C, State> =
  M extends ToOne<infer To>
    ? { readonly data: Entity<To, C, StateOf<C, State>> | null }
    : M extends ToMany<infer To>
      ? C extends { readonly count: true }
        ? Count
        : { readonly data: readonly Entity<To, C, StateOf<C, State>>[] }
      : M extends ManyOrNull<infer To>
        ? C extends { readonly count: true }
          ? Count
          : { readonly data: readonly Entity<To, C, StateOf<C, State>>[] | null }
        : M extends ComponentField<infer To, infer Empty>
          ? PartOf<To, C, State> | Empty
          : M extends ComponentList<infer To>
            ? readonly PartOf<To, C, State>[]
            : M extends Zone<infer Of>
              ? readonly {
                  [K in keyof Of]: Of[K] extends ContentShape
                    ? { readonly __component: K } & PartOf<Of[K], ChoiceOn<C, K>, State>
                    : never
                }[keyof Of][]
              : M extends AnyOne
                ? AnyEntity | null
                : never

/** Components are flat over REST, too. */
type PartOf<S extends ContentShape, C, State> =
  IsOpen<S, PopulateOf<C>> extends true
    ? S['entity']
    : Plain<{ readonly id: number } & Attributes<S, C, State>>
