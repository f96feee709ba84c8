// Declares a caller's rights: visible entries and allowed writes. The caller's values are already bound.

import type { Expression } from '../expressions/expression.ts'
import type { ManyAction } from './actions.ts'
import type { ContentType } from './content-type.ts'

export interface Access {
  /** Also allows to populate, filter and sort by the type. */
  visible(type: ContentType): boolean
  /** Otherwise drafts are hidden, however they are reached. */
  seesDrafts(type: ContentType): boolean
  /** Otherwise the caller sees the drafts that it may update; undefined: no drafts. */
  findDraftRule(type: ContentType): EntryRule | undefined
  /** Whether entries may be created, within other entries' payloads, too. */
  mayCreate(type: ContentType): boolean
  /** Covers also changes through links from other entries. */
  mayUpdate(type: ContentType): boolean
  /** Undefined: all entries. */
  findRule(type: ContentType, action: ReadAction): EntryRule | undefined
  /** Undefined: all attributes. */
  readable(type: ContentType, action: ReadAction): ReadonlySet<string> | undefined
  /** Undefined: without conditions. */
  writeRule(type: ContentType, action: WriteAction): WriteRule | undefined
  /** Undefined for every client. */
  readonly seesPrivate?: true
}

/** For the author's own rules. */
export const everything: Access = {
  visible: () => true,
  seesDrafts: () => true,
  findDraftRule: () => undefined,
  mayCreate: () => true,
  mayUpdate: () => true,
  findRule: () => undefined,
  readable: () => undefined,
  writeRule: () => undefined,
}

export type ReadAction = 'find' | 'findOne'
export type WriteAction = 'create' | 'createLocalization' | 'update' | 'delete' | ManyAction

/** For names in an expression that are not attributes. */
export type Variables = Readonly<Record<string, unknown>>

/** Holds if one condition holds. */
export interface EntryRule {
  readonly anyOf: readonly Expression[]
  readonly variables: Variables
}

/** One alternative must allow the write as a whole. */
export interface WriteRule {
  readonly alternatives: readonly WriteAlternative[]
  readonly variables: Variables
}

export interface WriteAlternative {
  /** Undefined: all entries. */
  readonly where: Expression | undefined
  /** A condition on the entry after the write. */
  readonly check: Expression | undefined
  /** Set by the server, by attribute. */
  readonly set: ReadonlyMap<string, Expression>
  /** Undefined: all. */
  readonly fields: ReadonlySet<string> | undefined
  /** A path in the file: `auth.roles.authenticated.permissions[1]["order.*"]`. */
  readonly place: string
  /** As written, for messages in development. */
  readonly texts: { readonly where?: string | undefined; readonly check?: string | undefined }
}
