// A request to the recorded server and its response, without secrets.

import type { Json } from '../import/strapi-source.ts'

export interface Exchange {
  /** Upper case. */
  readonly method: string
  /** Without the query: `/api/articles/3`. */
  readonly path: string
  /** Without `?`. */
  readonly query: string
  readonly caller: RecordedCaller | undefined
  /** Undefined: no body. */
  readonly send: unknown
  readonly status: number
  readonly body: unknown
}

/** The caller as a case names it: a user's token stands for the role, an API token for a token of its own. */
export type RecordedCaller = { readonly role: 'authenticated' } | { readonly token: string }

export interface Recording {
  readonly exchanges: readonly Exchange[]
  /** By the first segment of a path below `/api`. */
  readonly snapshots: ReadonlyMap<string, Snapshot>
  /** Undefined where the content-type-builder may not be read. */
  readonly builder: Builder | undefined
  readonly locales: readonly { readonly code: string; readonly name: string; readonly isDefault: boolean }[]
  /** Reasons for omitted requests, with their number. */
  readonly leftOut: ReadonlyMap<string, number>
}

export interface Builder {
  readonly contentTypes: ReadonlyMap<string, Json>
  readonly components: ReadonlyMap<string, Json>
}

/** Entries before the first request. */
export interface Snapshot {
  readonly kind: 'collectionType' | 'singleType'
  readonly entries: readonly Json[]
  readonly more: boolean
}

/** An entry of a response, in the forms of both versions of Strapi. */
export interface EntryResponse {
  readonly id: number
  /** Strapi 5 only. */
  readonly documentId: string | undefined
  readonly attributes: Json
}

export function getEntry(value: unknown): EntryResponse | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { id, documentId, attributes, ...rest } = value as Record<string, unknown>
  if (typeof id !== 'number') return undefined
  if (typeof documentId === 'string') return { id, documentId, attributes: rest }
  if (typeof attributes !== 'object' || attributes === null) return undefined
  return { id, documentId: undefined, attributes: attributes as Json }
}

export function getRelated(
  value: unknown,
): { readonly many: boolean; readonly entries: readonly EntryResponse[] } | undefined {
  const wrapped = typeof value === 'object' && value !== null && 'data' in value ? value.data : value
  if (wrapped === null && wrapped !== value) return { many: false, entries: [] }
  if (!Array.isArray(wrapped)) {
    const entry = getEntry(wrapped)
    return entry === undefined ? undefined : { many: false, entries: [entry] }
  }
  const entries = wrapped.flatMap((one) => getEntry(one) ?? [])
  if (entries.length < wrapped.length || (wrapped.length === 0 && wrapped === value)) return undefined
  return { many: true, entries }
}
