// Declares the types of relations and media in payloads.

/** The new value of a relation or media attribute, or a change of it. */
export type RelatedInput =
  | number
  | { readonly id: number }
  | readonly (number | { readonly id: number })[]
  | RelationChange

export interface RelationChange {
  readonly set?: readonly (number | { readonly id: number })[]
  readonly connect?: readonly (number | { readonly id: number; readonly position?: RelationPosition })[]
  readonly disconnect?: readonly (number | { readonly id: number })[]
}

export interface RelationPosition {
  readonly before?: number
  readonly after?: number
  readonly start?: true
  readonly end?: true
}

/** For relations to documents: documentIds, or ids of rows. */
export type DocumentsInput = DocumentTarget | readonly DocumentTarget[] | DocumentsChange

export type DocumentTarget =
  | string
  | number
  | { readonly id: number }
  | { readonly documentId: string; readonly locale?: string | null; readonly status?: 'draft' | 'published' }

export interface DocumentsChange {
  readonly set?: readonly DocumentTarget[]
  readonly connect?: readonly (
    | string
    | number
    | (Exclude<DocumentTarget, string | number> & { readonly position?: DocumentPosition })
  )[]
  readonly disconnect?: readonly DocumentTarget[]
}

export interface DocumentPosition {
  readonly before?: string | number
  readonly after?: string | number
  readonly start?: true
  readonly end?: true
}

/** For relations to entries of any content-type. */
export type AnyRelatedInput = AnyTarget | readonly AnyTarget[] | AnyRelationChange

export interface AnyTarget {
  readonly __type: string
  readonly id: number
}

export interface AnyRelationChange {
  readonly set?: readonly AnyTarget[]
  readonly connect?: readonly (AnyTarget & { readonly position?: AnyPosition })[]
  readonly disconnect?: readonly AnyTarget[]
}

/** By default the type of the connected entry. */
export interface AnyPosition extends DocumentPosition {
  readonly __type?: string
}

/** The data of an update of a possible draft: every attribute may become null. */
export type Nullable<Input> = { [K in keyof Input]?: Input[K] | null }
