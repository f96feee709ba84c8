// What to write, checked and cast.

import type { ErrorItem } from '../errors/api-error.ts'
import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../model/attribute.ts'
import type { AttributeHolder, Component, ContentType } from '../model/content-type.ts'
import type { Access } from './planning.ts'
import type { PlanValue } from './read-plan.ts'

export interface WritePlan {
  readonly holder: AttributeHolder
  /** Columns that are set, system columns included. */
  readonly values: ReadonlyMap<ScalarAttribute, PlanValue>
  readonly links: readonly LinkWrite[]
  readonly morphs: readonly MorphWrite[]
  readonly components: readonly ComponentWrite[]
  /** Values to hash before they are stored: `values` holds the text as it was sent. */
  readonly passwords: readonly ScalarAttribute[]
  /** Values no other entry may have; looked up before the write. */
  readonly uniques: readonly { readonly attribute: ScalarAttribute; readonly path: readonly string[] }[]
  readonly generated: readonly GeneratedUid[]
}

/** A uid that is made here: the slug, or the first that is free of the slug with a number behind it. */
export interface GeneratedUid {
  readonly attribute: ScalarAttribute
  readonly slug: string
  /** Whether it has a number in any case. */
  readonly numbered: boolean
}

export interface LinkWrite {
  readonly attribute: RelationAttribute | MediaAttribute
  readonly change: LinkChange
  readonly path: readonly string[]
  /** Of who wrote the value: the entries that it names have to be there for them. */
  readonly access: Access
}

/** What a morphToOne or morphToMany points at. */
export interface MorphWrite {
  readonly attribute: RelationAttribute
  readonly change: MorphChange
  readonly access: Access
}

export interface MorphTarget {
  readonly type: ContentType
  readonly id: number
}

export type MorphChange =
  | { readonly kind: 'set'; readonly targets: readonly MorphTarget[] }
  | {
      readonly kind: 'change'
      readonly connect: readonly MorphTarget[]
      readonly disconnect: readonly MorphTarget[]
    }

export type LinkChange =
  /** These and no others, in this order. */
  | { readonly kind: 'set'; readonly ids: readonly number[] }
  | {
      readonly kind: 'change'
      readonly connect: readonly Connection[]
      readonly disconnect: readonly number[]
    }

export interface Connection {
  readonly id: number
  readonly position: Position
}

export type Position =
  | { readonly at: 'end' }
  | { readonly at: 'start' }
  | { readonly at: 'before' | 'after'; readonly id: number }

/** All components of one attribute after the write, in order; an empty list removes them. */
export interface ComponentWrite {
  readonly attribute: ComponentAttribute | DynamicZoneAttribute
  readonly rows: readonly ComponentRow[]
}

export interface ComponentRow {
  readonly component: Component
  /** The component to keep and merge into; undefined makes a new one. */
  readonly id: number | undefined
  readonly plan: WritePlan
}

/** A plan, or what is wrong with the payload: all of it. */
export interface WriteOutcome {
  readonly plan: WritePlan
  readonly faults: readonly ErrorItem[]
  /** How many there are beyond those. */
  readonly moreFaults: number
  /** Of the caller. */
  readonly access: Access
  /** A date or time that is none: said alone, where nothing else is wrong. */
  readonly dateFault: string | undefined
}
