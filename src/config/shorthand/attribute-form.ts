// The result of reading the short form of an attribute.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'

export type Steps = DiagnosticPath

/** A path in the new value, and its path in the written one. */
export type Part = readonly [to: Steps, from: Steps]

export type Keys = Readonly<Record<string, unknown>>

export interface PlainForm {
  readonly kind: 'plain'
  readonly attribute: Keys
  readonly parts: readonly Part[]
}

/** A relation whose kind depends on its other side. */
export interface RelationForm {
  readonly kind: 'relation'
  /** Undefined: the target is the type in `of`. */
  readonly target: { readonly uid: string; readonly many: boolean; readonly from: Steps } | undefined
  /** The other side of the relation, as `type.attribute`. */
  readonly of: string | undefined
  readonly rest: Keys
}

export interface InlineForm {
  readonly kind: 'inline'
  readonly from: Steps
  readonly repeatable: boolean
  readonly rest: Keys
}

/** A form that is recognized but invalid or ambiguous. */
export interface RefusedForm {
  readonly kind: 'refused'
  readonly code: string
  readonly at: Steps
  readonly message: string
  readonly help: string
}

export type AttributeForm = PlainForm | RelationForm | InlineForm | RefusedForm

export function refused(code: string, at: Steps, message: string, help: string): RefusedForm {
  return { kind: 'refused', code, at, message, help }
}

export function plain(attribute: Keys, parts: readonly Part[]): PlainForm {
  return { kind: 'plain', attribute, parts }
}
