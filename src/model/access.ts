// The rights of a caller: which entries of each content-type exist for it, and what it may write. Plans are made with
// it. The values of the caller are bound already.

import type { Expression } from '../expressions/expression.ts'
import type { ContentType } from './content-type.ts'

export interface Access {
  /** Whether the caller may `find` entries of a content-type, and so populate, filter and sort by them. */
  visible(type: ContentType): boolean
  /** Whether the caller sees all drafts of the type that the rules allow; otherwise they are hidden, however they are reached. */
  seesDrafts(type: ContentType): boolean
  /** Which drafts the caller sees who does not see all: those that it may update; undefined: none. */
  findDraftRule(type: ContentType): EntryRule | undefined
  /** Whether the caller may change every entry of the type, also through links from other entries. */
  mayUpdate(type: ContentType): boolean
  /** Which entries of the type exist for the caller, by which read; undefined: all of them. */
  findRule(type: ContentType, action: ReadAction): EntryRule | undefined
  /** The attributes that the caller may read of an entry; undefined: all of them. */
  readable(type: ContentType, action: ReadAction): ReadonlySet<string> | undefined
  /** Under which conditions the caller may write; undefined: without any. */
  writeRule(type: ContentType, action: WriteAction): WriteRule | undefined
  /** Whether private attributes are read, filtered and sorted by; undefined for every client. */
  readonly seesPrivate?: true
}

/** Nothing is hidden: for the author's own rules, which look at everything. */
export const everything: Access = {
  visible: () => true,
  seesDrafts: () => true,
  findDraftRule: () => undefined,
  mayUpdate: () => true,
  findRule: () => undefined,
  readable: () => undefined,
  writeRule: () => undefined,
}

export type ReadAction = 'find' | 'findOne'
export type WriteAction = 'create' | 'createLocalization' | 'update' | 'delete'

/** Values of the names in an expression that are no attributes of the entry. */
export type Variables = Readonly<Record<string, unknown>>

/** An entry exists if one of the conditions holds. */
export interface EntryRule {
  readonly anyOf: readonly Expression[]
  readonly variables: Variables
}

/** A write is allowed if one of the alternatives allows it as a whole. */
export interface WriteRule {
  readonly alternatives: readonly WriteAlternative[]
  readonly variables: Variables
}

export interface WriteAlternative {
  /** Which entries may be written; undefined: all. */
  readonly where: Expression | undefined
  /** A condition that must hold of the entry afterwards. */
  readonly check: Expression | undefined
  /** Values that the server sets, by attribute. */
  readonly set: ReadonlyMap<string, Expression>
  /** The attributes that the payload may name; undefined: all. */
  readonly fields: ReadonlySet<string> | undefined
  /** The place in the file: `auth.roles.authenticated.permissions[1]["order.*"]`. */
  readonly place: string
  /** `where` and `check` as written, for messages of development. */
  readonly texts: { readonly where?: string | undefined; readonly check?: string | undefined }
}
