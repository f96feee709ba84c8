// Shared by the steps that expand `data`: the content-types, and the entries found so far.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { Fault } from '../checking.ts'
import type { ContentType, Schema } from '../content-type.ts'
import type { Model } from '../model.ts'
import type { MovedEntry } from './data-entry.ts'

/** The parts of a model that `data` needs; the model itself may still have faults. */
export interface DataModel {
  readonly types: ReadonlyMap<string, ContentType>
  readonly fileType: ContentType | undefined
  /** The names of all attributes that the file or a plugin declares, with those that have faults. */
  getNames(schema: Schema): readonly string[]
  /** Names of entries that are not in `data`; undefined for content-types whose entries all are. */
  elsewhere(uid: string): readonly string[] | undefined
  /** Why entries have no `locale`: whether content can be localized at all. */
  readonly localizes: boolean
}

/** The parts of a model without faults. */
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

/** An entry whose relations may still have to be resolved. */
export interface Draft {
  readonly type: ContentType
  readonly path: DiagnosticPath
  readonly data: Record<string, unknown>
  readonly moved: MovedEntry[]
  readonly rank: number
  /** Set where one entry of the file makes several localizations. */
  group?: Group
  /** Known when all entries are numbered. */
  id?: number
}

/** The localizations that are written in one entry; the first stands for all of them. */
export interface Group {
  readonly members: readonly Draft[]
  /** The attributes whose values are given by locale. */
  readonly byLocale: ReadonlySet<string>
}

/** In this order, entries of a content-type get their ids. */
export const ranks = { listed: 0, ofPlugin: 1, nested: 2, translation: 3 } as const

/** A relation to one content-type or, without `target`, to any. */
export interface DataRelation {
  readonly name: string
  readonly target: ContentType | undefined
  readonly cardinality?: 'one' | 'many'
}

/** A value that names an entry, and the place in the expanded data where its id goes. */
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
  /** Adds an entry that is written in the place of a relation. */
  nest(type: ContentType, entry: Readonly<Record<string, unknown>>, path: DiagnosticPath): Draft
}

/** Where a value is written, and where it goes. */
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

/** The place of a value that is written further down than where it goes. */
export function writtenAt(place: Place, step: string): Place {
  const path = [...place.path, step]
  place.draft.moved.push({ at: place.at, to: path })
  return { ...place, path }
}
