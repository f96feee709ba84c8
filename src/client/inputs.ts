// Declares the types of relations and media in payloads.

/** The new value of a relation or media attribute, or a change of it. `New`: the data of entries that are created with it. */
export type RelatedInput<New = never> =
  | number
  | { readonly id: number }
  | readonly (number | { readonly id: number } | NewEntry<New>)[]
  | RelationChange<New>

export interface RelationChange<New = never> {
  readonly set?: readonly (number | { readonly id: number } | NewEntry<New>)[]
  readonly connect?: readonly (
    | number
    | { readonly id: number; readonly position?: RelationPosition }
    | (NewEntry<New> & { readonly position?: RelationPosition })
  )[]
  readonly disconnect?: readonly (number | { readonly id: number })[]
  readonly create?: New | readonly New[]
}

export interface NewEntry<New> {
  readonly create: New
}

export interface RelationPosition {
  readonly before?: number
  readonly after?: number
  readonly start?: true
  readonly end?: true
}

/** For relations to documents: documentIds, or ids of rows. */
export type DocumentsInput<New = never> =
  | DocumentTarget
  | readonly (DocumentTarget | NewEntry<New>)[]
  | DocumentsChange<New>

export type DocumentTarget =
  | string
  | number
  | { readonly id: number }
  | { readonly documentId: string; readonly locale?: string | null; readonly status?: 'draft' | 'published' }

export interface DocumentsChange<New = never> {
  readonly set?: readonly (DocumentTarget | NewEntry<New>)[]
  readonly connect?: readonly (
    | string
    | number
    | (Exclude<DocumentTarget, string | number> & { readonly position?: DocumentPosition })
    | (NewEntry<New> & { readonly position?: DocumentPosition })
  )[]
  readonly disconnect?: readonly DocumentTarget[]
  readonly create?: New | readonly New[]
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

/** A change of a stored number. */
export type NumberChange = { readonly $inc: number } | { readonly $mul: number }

type ChangeOf<T> = [NonNullable<T>] extends [number] ? NumberChange : never

/** The data of an update. */
export type Changes<Input> = { [K in keyof Input]?: Input[K] | ChangeOf<Input[K]> }

/** The data of an update of a possible draft: every attribute may become null. */
export type Nullable<Input> = { [K in keyof Input]?: Input[K] | ChangeOf<Input[K]> | null }
