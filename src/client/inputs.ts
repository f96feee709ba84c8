// The types of relations and media in payloads.

/** A relation or media attribute as it is to be, or what is to change about it. */
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

/** The same of a relation to documents: their documentIds, or numbers of rows. */
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

/** The same of a relation to entries of any content-type. */
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

/** `__type`: that of the entry in `before` or `after`; without it, that of the connected one. */
export interface AnyPosition extends DocumentPosition {
  readonly __type?: string
}

/** The data of an update of an entry that may be a draft: everything, also to nothing. */
export type Emptied<Input> = { [K in keyof Input]?: Input[K] | null }
