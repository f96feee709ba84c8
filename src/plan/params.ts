// A parsed query of REST or GraphQL, whose names are not yet resolved.

import type { ApiError } from '../lib/errors/api-error.ts'
import type { Access, WriteAction } from '../model/access.ts'

/** `live`: published entries only; `preview`: drafts too; `draft`: only drafts, of documents. */
export type PublicationState = 'live' | 'preview' | 'draft'

/** Select documents by their versions in the entry's locale, or (`-document`) in any. */
export const publicationFilters = [
  ...(['never-published', 'has-published-version', 'modified', 'unmodified'] as const),
  ...(['never-published-document', 'has-published-version-document'] as const),
  ...(['published-without-draft', 'published-with-draft'] as const),
] as const

export type PublicationFilter = (typeof publicationFilters)[number]

export interface Params {
  /** Nested objects and lists of text, numbers, booleans and null, with the client's keys. */
  readonly filters?: FilterInput
  /** Filters that the server's code added; they are planned with their own access, not the caller's. */
  readonly own?: { readonly filters: FilterInput; readonly access: Access }
  /** Selects entries for a write: the rule of its action applies, drafts included, instead of the rule of `find`. */
  readonly selectedFor?: WriteAction
  readonly sort?: readonly SortInput[]
  /** Undefined or `*` means all. */
  readonly fields?: readonly string[]
  readonly populate?: PopulateInput
  /** Whether unknown names in `populate` are ignored instead of refused; a function is told of each. */
  readonly ignoresUnknown?: boolean | IgnoreName
  readonly pagination?: PaginationInput
  readonly publicationState?: PublicationState
  readonly publicationFilters?: readonly PublicationFilter[]
  readonly search?: string
  /** Whether to mark the terms of the search in the texts of each entry. */
  readonly highlights?: boolean
  /** A locale, a list of locales, a filter on the locale, or `all`; ignored unless the type is localized. */
  readonly locale?: unknown
  /** Whether to read the version of each entry, too. */
  readonly withVersion?: boolean
  /** Whether to read the locales of each entry, too. */
  readonly withLocales?: boolean
}

/** `place`: `populate of api::article.article`. */
export type IgnoreName = (name: string, place: string) => void

export type FilterInput = unknown

export interface SortInput {
  readonly path: readonly string[]
  readonly descending: boolean
}

/** `*`, alone or as a key: every relation, component, zone and media, one level deep. */
export type PopulateInput = '*' | DeepPopulate | ReadonlyMap<string, PopulateOptions>

/** Every relation, component, zone and media, several levels deep. */
export interface DeepPopulate {
  /** The entry itself is the first. */
  readonly levels: number
  /** Attributes that are left out; undefined: none. */
  readonly ignored: ReadonlySet<string> | undefined
  readonly rules: 'strapi-4' | 'strapi-5'
}

export interface PopulateOptions {
  /** The attribute if the key is an alias: one attribute may be populated twice with different options. */
  readonly attribute?: string
  readonly authorized?: boolean
  /** Reads a private field; only for the server's code, never from a client. */
  readonly evenPrivate?: boolean
  /** Whether an error is stored in the plan instead of thrown, so that only this field fails. */
  readonly keepsFault?: boolean
  readonly fault?: ApiError
  readonly filters?: FilterInput
  readonly sort?: readonly SortInput[]
  readonly fields?: readonly string[]
  readonly populate?: PopulateInput
  readonly publicationState?: PublicationState
  readonly start?: number
  readonly limit?: number
  readonly count?: boolean
  readonly reversed?: boolean
  readonly withVersion?: boolean
  /** Dynamic zones and morphs: options by component or content-type uid. */
  readonly on?: ReadonlyMap<string, PopulateOptions>
}

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

export type PaginationInput =
  | NumberedPage
  | {
      readonly kind: 'after'
      readonly after: string
      readonly pageSize?: number
      readonly withCount?: boolean
    }
