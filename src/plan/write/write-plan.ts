// The plan of a write: what to write, with every value checked and cast.

import type { ErrorItem } from '../../lib/errors/api-error.ts'
import type { Access } from '../../model/access.ts'
import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../../model/attribute.ts'
import type { Component, ContentType, Schema } from '../../model/content-type.ts'
import type { PlanValue } from '../read-plan.ts'

export interface WritePlan {
  readonly schema: Schema
  /** Columns to set, system columns included. */
  readonly values: ReadonlyMap<ScalarAttribute, PlanValue>
  readonly links: readonly LinkWrite[]
  readonly morphs: readonly MorphWrite[]
  readonly components: readonly ComponentWrite[]
  /** Values to hash before they are stored: `values` holds the text as it was sent. */
  readonly passwords: readonly ScalarAttribute[]
  /** Attributes whose values no other entry may have; looked up before the write. */
  readonly uniques: readonly { readonly attribute: ScalarAttribute; readonly path: readonly string[] }[]
  readonly generated: readonly GeneratedUid[]
}

/** A uid to generate: the slug, or if it is taken the slug with the first free number. */
export interface GeneratedUid {
  readonly attribute: ScalarAttribute
  readonly slug: string
  /** Whether a number is always appended. */
  readonly numbered: boolean
}

export interface LinkWrite {
  readonly attribute: RelationAttribute | MediaAttribute
  readonly change: LinkChange
  readonly path: readonly string[]
  /** The access of whoever wrote the value: named entries must exist and be visible under it. */
  readonly access: Access
}

/** A change of the targets of a morphToOne or morphToMany. */
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
      readonly connect: readonly MorphConnection[]
      readonly disconnect: readonly MorphTarget[]
      /** Whether a position beside an entry that is not linked means the end. */
      readonly loose?: true
    }

export interface MorphConnection extends MorphTarget {
  readonly position: { readonly at: 'end' | 'start' } | ({ readonly at: 'before' | 'after' } & MorphTarget)
}

export type LinkChange =
  /** The complete new list, in this order. */
  | { readonly kind: 'set'; readonly ids: readonly number[] }
  | {
      readonly kind: 'change'
      readonly connect: readonly Connection[]
      readonly disconnect: readonly number[]
      /** Whether a position beside an entry that is not linked means the end. */
      readonly loose?: true
    }

export interface Connection {
  readonly id: number
  readonly position: Position
}

export type Position =
  | { readonly at: 'end' | 'start' }
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

/** The plan of a payload and all its faults; the plan is valid only without faults. */
export interface PlannedPayload {
  readonly plan: WritePlan
  readonly faults: readonly ErrorItem[]
  /** The number of further faults. */
  readonly moreFaults: number
  /** The caller's access. */
  readonly access: Access
  /** The message about an invalid date or time; reported only when there is no other fault. */
  readonly dateFault: string | undefined
}
