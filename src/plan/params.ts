// A question about entries, as an API (REST, GraphQL) hands it on: syntax is checked, names are not yet resolved.
//

import type { ApiError } from '../errors/api-error.ts'
import type { Access } from './planning.ts'

export interface Params {
  /** Nested objects and lists of text, numbers, booleans and null, keys as the client wrote them. */
  readonly filters?: FilterInput
  /** More filters, put there by the server's own code: held to its rights, not to those of the caller. */
  readonly own?: { readonly filters: FilterInput; readonly access: Access }
  readonly sort?: readonly SortInput[]
  /** Attribute names; undefined or `*` among them means all. */
  readonly fields?: readonly string[]
  readonly populate?: PopulateInput
  readonly pagination?: PaginationInput
  readonly publicationState?: 'live' | 'preview'
  readonly search?: string
  /** A locale, a list of them, a filter on it, or `all`; only localized types look at it. */
  readonly locale?: unknown
  /** Whether the locales in which an entry is available are read with it. */
  readonly withLocales?: boolean
}

export type FilterInput = unknown

export interface SortInput {
  /** The attribute, or the relations and components that lead to it. */
  readonly path: readonly string[]
  readonly descending: boolean
}

/** `*`, alone or as a key beside others: every relation, component, zone and media one level deep. */
export type PopulateInput = '*' | ReadonlyMap<string, PopulateOptions>

export interface PopulateOptions {
  /** The attribute, where the key is another name for it: one may be populated twice, differently. */
  readonly attribute?: string
  /** Whether the caller may see it was decided already, by other rules than the permission to find. */
  readonly authorized?: boolean
  /** Whether what is wrong with it concerns it alone: it is kept in the plan instead of thrown. */
  readonly keepsFault?: boolean
  /** What is already known to be wrong with it. */
  readonly fault?: ApiError
  readonly filters?: FilterInput
  readonly sort?: readonly SortInput[]
  readonly fields?: readonly string[]
  readonly populate?: PopulateInput
  readonly publicationState?: 'live' | 'preview'
  readonly start?: number
  readonly limit?: number
  /** Only how many there are. */
  readonly count?: boolean
  /** The stored order backwards. */
  readonly reversed?: boolean
  /** Dynamic zones and morphs: options by component or content-type uid. */
  readonly on?: ReadonlyMap<string, PopulateOptions>
}

/** As asked; limits and defaults are applied by the planner. */
export type PaginationInput =
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
