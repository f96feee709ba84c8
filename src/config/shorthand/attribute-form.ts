// The result of reading the short form of an attribute.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'

export type Steps = DiagnosticPath

/** A place in the new value, and where that stood in the written one. */
export type Part = readonly [to: Steps, from: Steps]

export type Keys = Readonly<Record<string, unknown>>

/** An attribute that can be written in full at once. */
export interface PlainForm {
  readonly kind: 'plain'
  readonly attribute: Keys
  readonly parts: readonly Part[]
}

/** A relation whose kind depends on what is written on the other side. */
export interface RelationForm {
  readonly kind: 'relation'
  /** Undefined: that of the type in `of`. */
  readonly target: { readonly uid: string; readonly many: boolean; readonly from: Steps } | undefined
  /** `type.attribute` whose other side this is. */
  readonly of: string | undefined
  /** Keys besides those of the relation itself. */
  readonly rest: Keys
}

/** A component that is written where it is used. */
export interface InlineForm {
  readonly kind: 'inline'
  /** Where in the attribute the component's declaration stands. */
  readonly from: Steps
  readonly repeatable: boolean
  readonly rest: Keys
}

/** A form that is understood and cannot be meant, or could mean two things. */
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
