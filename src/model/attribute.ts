// Declares content-types, components and attributes, which refer to each other as objects, so they share a
// file.

import type { Constraints } from '../attribute-types/attribute-type.ts'
import type { ScalarType } from '../attribute-types/attribute-types.ts'
import type { AttributeConfig } from '../config/config.ts'
import type { Expression } from '../expressions/expression.ts'
import type { JsonPath } from './json-path.ts'
import type { Uid } from './uid.ts'

interface AttributeBase {
  readonly name: string
  /** Never returned, filtered, sorted or selected. */
  readonly private: boolean
  readonly required: boolean
  /** By payloads; seeds and defaults always may. */
  readonly writable: boolean
  /** A client's value is a fault; seeds, defaults and the server's own code may set it. */
  readonly readOnly: boolean
  /** Clients may set it only on create. */
  readonly writeOnce: boolean
  /** i18n: each locale has its own value. */
  readonly localized: boolean
  readonly renamedFrom?: string | undefined
  /** Undefined for attributes that the server adds. */
  readonly declared?: AttributeConfig | undefined
}

export interface ScalarAttribute extends AttributeBase, Constraints {
  readonly kind: 'scalar'
  readonly type: ScalarType
  /** Empty for a computed attribute. */
  readonly column: string
  readonly unique: boolean
  readonly default: unknown
  /** For `_q`, if the type can be searched. */
  readonly searchable: boolean
  /** Indexes the parts of its text. */
  readonly textIndex: boolean
  /** Paths inside a JSON attribute whose values have an index. */
  readonly indexedPaths: readonly JsonPath[]
  /** For `uid`: the attribute that the value is made from. */
  readonly targetField: string | undefined
  readonly computed?: Computed | undefined
  /** createdAt, updatedAt, publishedAt, id: not settable from a payload. */
  readonly system: boolean
}

/** Computed from stored values on each read. */
export interface Computed {
  readonly expression: Expression
  readonly schema: Schema
}

export const relationKinds = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'morphOne',
  'morphMany',
  'morphToOne',
  'morphToMany',
] as const

export type RelationKind = (typeof relationKinds)[number]

export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation'
  readonly type: 'relation'
  readonly relation: RelationKind
  readonly cardinality: 'one' | 'many'
  /** Undefined for morphToOne and morphToMany, which point at any content-type. */
  readonly target: ContentType | undefined
  readonly targets: readonly ContentType[]
  readonly inverse: RelationAttribute | undefined
  /** The join table is named after this side. */
  readonly owner: boolean
  /** For REST; GraphQL may always populate it. */
  readonly populatable: boolean
  /** An entry of the target belongs to at most one entry of this side (oneToOne, two-sided oneToMany). */
  readonly exclusive: boolean
  /** For the `related` of files: the media attributes that lead to files. This side has no table. */
  readonly shownBy?: readonly ShownBy[] | undefined
  /**
   * For `localizations` and queries about versions: the rows of the same document. This side has no table.
   */
  readonly sameDocument?: SameDocument | undefined
}

/**
 * The same version in other locales; the other version in the same locale; that version if the draft is
 * newer; published versions in any locale.
 */
export type SameDocument = 'locales' | 'version' | 'modified' | 'published'

interface ShownBy {
  readonly type: ContentType
  readonly attribute: MediaAttribute
}

export interface MediaAttribute extends AttributeBase {
  readonly kind: 'media'
  readonly type: 'media'
  readonly multiple: boolean
  readonly allowedTypes: readonly string[]
  /** `plugin::upload.file`. */
  readonly target: ContentType
}

export interface ComponentAttribute extends AttributeBase {
  readonly kind: 'component'
  readonly type: 'component'
  readonly component: Component
  readonly repeatable: boolean
  readonly min: number | undefined
  readonly max: number | undefined
}

export interface DynamicZoneAttribute extends AttributeBase {
  readonly kind: 'dynamiczone'
  readonly type: 'dynamiczone'
  readonly components: readonly Component[]
  readonly min: number | undefined
  readonly max: number | undefined
}

export type Attribute =
  | ScalarAttribute
  | RelationAttribute
  | MediaAttribute
  | ComponentAttribute
  | DynamicZoneAttribute

export interface Schema {
  readonly uid: string
  readonly renamedFrom?: string | undefined
  /** In the order of the file. */
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly collectionName: string
  readonly id: ScalarAttribute
  readonly displayName: string
}

/** A write after which it is false is refused; unknown is not false. */
export interface EntryCheck {
  readonly expression: Expression
  readonly text: string
  readonly message: string
  readonly attribute: string | undefined
}

/** In the order of the file; the relations lead to one entry. */
export type AttributeSet = readonly (ScalarAttribute | RelationAttribute)[]

export interface ContentType extends Schema {
  readonly kind: 'collectionType' | 'singleType'
  readonly uid: Uid
  readonly singularName: string
  readonly pluralName: string
  readonly description: string | undefined
  /** Undefined for a plugin's own. */
  readonly sourceKey: string | undefined
  readonly draftAndPublish: boolean
  /** Undefined where entries are no documents (`model/content-rules.ts`). */
  readonly document: DocumentAttributes | undefined
  readonly localized: boolean
  /**
   * Returned after the declared attributes: createdAt, updatedAt, publishedAt (with draftAndPublish), locale
   * (localized). Documents have documentId first, and publishedAt always.
   */
  readonly systemAttributes: ReadonlyMap<string, ScalarAttribute>
  readonly createdAt: ScalarAttribute
  readonly updatedAt: ScalarAttribute
  readonly publishedAt: ScalarAttribute | undefined
  /** `enum` lists the locales, `default` is the default locale. */
  readonly locale: ScalarAttribute | undefined
  /** Columns that no query may name. */
  readonly revision: RevisionAttributes
  /** Whether writes over the APIs must name the version that they change; `optional` if the file does not say it. */
  readonly concurrency: 'optional' | 'required' | undefined
  /** Unique together; for localized types, within a locale. */
  readonly uniqueSets: readonly AttributeSet[]
  readonly indexedSets: readonly AttributeSet[]
  readonly checks: readonly EntryCheck[]
  /** As written. */
  readonly options: Readonly<Record<string, unknown>>
  readonly pluginOptions: Readonly<Record<string, unknown>> | undefined
  readonly rest: ContentTypeRest
}

export interface RevisionAttributes {
  /** Counts the changes of an entry, its components, relations and files; null before the first. */
  readonly number: ScalarAttribute
  /** JSON: the number of the last change by attribute. */
  readonly changes: ScalarAttribute
}

export interface DocumentAttributes {
  /** The same for all versions and locales of a document. */
  readonly documentId: ScalarAttribute
  /**
   * True when a document has a draft row in each locale, whose `publishedAt` is null, and perhaps a published
   * row.
   */
  readonly versions: boolean
  /** Only for queries about versions. */
  readonly rows: Readonly<Record<Exclude<SameDocument, 'locales'>, RelationAttribute>>
  /** Types without versions: `publishedAt`, the moment of the last write there. */
  readonly stamp: ScalarAttribute | undefined
  /** A file's is its upload, so updates leave `stamp`. */
  readonly stampKept: boolean
}

export interface ContentTypeRest {
  readonly actions: ReadonlySet<string>
  /** Those whose requests pass policies or middlewares. */
  readonly guardedActions: ReadonlySet<string>
  /** For reads by callers without authorization. */
  readonly cacheControl: string | undefined
}

export interface Component extends Schema {
  readonly uid: string
  readonly category: string
  readonly name: string
  readonly description: string | undefined
  readonly icon: string | undefined
  readonly pluginOptions: Readonly<Record<string, unknown>> | undefined
}

export function isToMany(attribute: RelationAttribute | MediaAttribute | ComponentAttribute): boolean {
  switch (attribute.kind) {
    case 'relation':
      return attribute.cardinality === 'many'
    case 'media':
      return attribute.multiple
    case 'component':
      return attribute.repeatable
  }
}
