// A query about entries, as REST or GraphQL passes it on: the syntax is checked, names are not yet resolved.
//

import type { ApiError } from '../lib/errors/api-error.ts'
import type { Access } from '../model/access.ts'

/** `live`: published entries only; `preview`: drafts too; `draft`: drafts only, of documents. */
export type PublicationState = 'live' | 'preview' | 'draft'

/** Documents by their versions: in the entry's locale, or (`-document`) in any. */
export const publicationFilters = [
  ...(['never-published', 'has-published-version', 'modified', 'unmodified'] as const),
  ...(['never-published-document', 'has-published-version-document'] as const),
  ...(['published-without-draft', 'published-with-draft'] as const),
] as const

export type PublicationFilter = (typeof publicationFilters)[number]

export interface Params {
  /** Nested objects and lists of text, numbers, booleans and null, with the client's keys. */
  readonly filters?: FilterInput
  /** Additional filters of the server's own code, planned with that code's access instead of the caller's. */
  readonly own?: { readonly filters: FilterInput; readonly access: Access }
  readonly sort?: readonly SortInput[]
  /** Attribute names; undefined or `*` among them means all. */
  readonly fields?: readonly string[]
  readonly populate?: PopulateInput
  /** Whether names in `populate` that lead nowhere are left out instead of refused. */
  readonly ignoresUnknown?: boolean
  readonly pagination?: PaginationInput
  readonly publicationState?: PublicationState
  /** Of documents: what there must be of each. */
  readonly cohorts?: readonly PublicationFilter[]
  readonly search?: string
  /** A locale, a list of locales, a filter on the locale, or `all`; ignored unless the type is localized. */
  readonly locale?: unknown
  /** Whether to read the locales in which each entry is available, too. */
  readonly withLocales?: boolean
}

export type FilterInput = unknown

export interface SortInput {
  /** The attribute, or the relations and components that lead to it. */
  readonly path: readonly string[]
  readonly descending: boolean
}

/** `*`, alone or as one of the keys: every relation, component, zone and media, one level deep. */
export type PopulateInput = '*' | ReadonlyMap<string, PopulateOptions>

export interface PopulateOptions {
  /** The attribute if the key is an alias: an attribute may be populated twice with different options. */
  readonly attribute?: string
  /** Set if access was already granted by other rules than the permission to find. */
  readonly authorized?: boolean
  /** Whether the member is read though it is private: only for code of the runtime, no client can say it. */
  readonly evenPrivate?: boolean
  /** Whether a fault of this member is kept in the plan instead of thrown, so that only the member fails. */
  readonly keepsFault?: boolean
  /** A fault of this member that is already known. */
  readonly fault?: ApiError
  readonly filters?: FilterInput
  readonly sort?: readonly SortInput[]
  readonly fields?: readonly string[]
  readonly populate?: PopulateInput
  readonly publicationState?: PublicationState
  readonly start?: number
  readonly limit?: number
  /** Whether to read only the number of entries. */
  readonly count?: boolean
  /** Whether to reverse the stored order. */
  readonly reversed?: boolean
  /** Dynamic zones and morphs: options by component or content-type uid. */
  readonly on?: ReadonlyMap<string, PopulateOptions>
}

/** A page by its number or its offset, as requested. */
export type NumberedPage =
  | {
      readonly kind: 'page'
      readonly page?: number
      readonly pageSize?: number
      readonly withCount?: boolean
    }
  | {
      readonly kind: 'offset'
      readonly start?: number
      readonly limit?: number
      readonly withCount?: boolean
    }

/** The pagination as requested; the planner applies limits and defaults. */
export type PaginationInput =
  | NumberedPage
  | {
      readonly kind: 'after'
      /** A cursor; empty for the first entries. */
      readonly after: string
      readonly pageSize?: number
      readonly withCount?: boolean
    }
