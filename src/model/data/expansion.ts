// Shares state between the steps that expand `data`.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { Fault } from '../checking.ts'
import type { ContentType, Schema } from '../content-type.ts'
import type { Model } from '../model.ts'
import type { MovedEntry } from './data-entry.ts'

/** The model may still have faults. */
export interface DataModel {
  readonly types: ReadonlyMap<string, ContentType>
  readonly fileType: ContentType | undefined
  /** Includes attributes with faults. */
  getNames(schema: Schema): readonly string[]
  /** Names of entries that are declared outside of `data`. */
  elsewhere(uid: string): readonly string[] | undefined
  /** Explains a missing `locale`. */
  readonly localizes: boolean
}

export function getDataModel({ contentTypes, components, fileType }: Model): DataModel {
  const names = new Map(
    [...contentTypes.values(), ...components.values()].map((schema: Schema) => [
      schema,
      [...schema.attributes.keys()],
    ]),
  )
  return {
    types: contentTypes,
    fileType,
    localizes: true,
    getNames: (schema) => names.get(schema) ?? [],
    elsewhere: () => undefined,
  }
}

/** Its relations may still have to be resolved. */
export interface Draft {
  readonly type: ContentType
  readonly path: DiagnosticPath
  readonly data: Record<string, unknown>
  readonly moved: MovedEntry[]
  readonly rank: number
  /** Set when one entry of the file has several localizations. */
  group?: Group
  /** Set when all entries are numbered. */
  id?: number
}

/** The first stands for all. */
export interface Group {
  readonly members: readonly Draft[]
  /** Attributes with values by locale. */
  readonly byLocale: ReadonlySet<string>
}

/** Entries of a content-type get their ids in this order. */
export const ranks = { listed: 0, ofPlugin: 1, nested: 2, translation: 3 } as const

/** Leads to any content-type without `target`. */
export interface DataRelation {
  readonly name: string
  readonly target: ContentType | undefined
  readonly cardinality?: 'one' | 'many'
}

/** Its id goes to a position in the expanded data. */
export interface Reference {
  readonly relation: DataRelation
  /** As written, or the nested entry. */
  readonly value: unknown
  readonly nested?: Draft
  readonly path: DiagnosticPath
  readonly from: Draft
  set(value: unknown): void
}

export interface Expansion extends DataModel {
  /** Epoch milliseconds. */
  readonly now: number
  readonly fault: Fault
  readonly drafts: Draft[]
  readonly references: Reference[]
  nest(type: ContentType, entry: Readonly<Record<string, unknown>>, path: DiagnosticPath): Draft
}

/** A value's paths in the file and in the expanded data. */
export interface Place {
  readonly expansion: Expansion
  readonly draft: Draft
  readonly path: DiagnosticPath
  /** Steps within the entry's expanded data. */
  readonly at: readonly string[]
}

export function below(place: Place, step: string | number): Place {
  return { ...place, path: [...place.path, step], at: [...place.at, String(step)] }
}

/** The value's path in the file is deeper than in the data. */
export function getWrittenPlace(place: Place, step: string): Place {
  const path = [...place.path, step]
  place.draft.moved.push({ at: place.at, to: path })
  return { ...place, path }
}
