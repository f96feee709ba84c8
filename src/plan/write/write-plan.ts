// The plan of a write: what to write, with every value checked and cast.

import type { StoredValue } from '../../attribute-types/attribute-type.ts'
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
  readonly values: ReadonlyMap<ScalarAttribute, PlanValue>
  /** Updates only: changes of stored values. */
  readonly changes: ReadonlyMap<ScalarAttribute, ValueChange>
  readonly links: readonly LinkWrite[]
  readonly morphs: readonly MorphWrite[]
  readonly components: readonly ComponentWrite[]
  /** Values to hash before they are stored: `values` has their plain text. */
  readonly passwords: readonly ScalarAttribute[]
  readonly uniques: readonly { readonly attribute: ScalarAttribute; readonly path: readonly string[] }[]
  readonly generated: readonly GeneratedUid[]
}

export interface ValueChange {
  readonly operator: '$inc' | '$mul' | '$push' | '$pull'
  /** JSON text for lists. */
  readonly operand: number | string
  /** The faults of the value after the change; null if it could not be changed. */
  findFaults(stored: StoredValue | null): readonly string[]
}

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
  /** The writer's access: named entries must exist and be visible under it. */
  readonly access: Access
}

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
      /** Whether a position beside an unlinked entry means the end. */
      readonly loose?: true
    }

export interface MorphConnection extends MorphTarget {
  readonly position: { readonly at: 'end' | 'start' } | ({ readonly at: 'before' | 'after' } & MorphTarget)
}

export type LinkChange =
  | { readonly kind: 'set'; readonly ids: readonly number[] }
  | {
      readonly kind: 'change'
      readonly connect: readonly Connection[]
      readonly disconnect: readonly number[]
      /** Whether a position beside an unlinked entry means the end. */
      readonly loose?: true
    }

export interface Connection {
  readonly id: number
  readonly position: Position
}

export type Position =
  | { readonly at: 'end' | 'start' }
  | { readonly at: 'before' | 'after'; readonly id: number }

export interface ComponentWrite {
  readonly attribute: ComponentAttribute | DynamicZoneAttribute
  readonly rows: readonly ComponentRow[]
}

export interface ComponentRow {
  readonly component: Component
  /** The component to merge into; undefined makes a new one. */
  readonly id: number | undefined
  readonly plan: WritePlan
}

export interface PlannedPayload {
  readonly plan: WritePlan
  readonly faults: readonly ErrorItem[]
  readonly moreFaults: number
  readonly access: Access
  readonly dateFault: string | undefined
}
