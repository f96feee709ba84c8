// Content-types, components and their attributes, frozen and linked: a relation holds its target object, not a name.
// They are in one file because they refer to each other.

import type { Constraints } from '../attribute-types/attribute-type.ts'
import type { ScalarType } from '../attribute-types/attribute-types.ts'
import type { AttributeConfig } from '../config/config.ts'
import type { Expression } from '../expressions/expression.ts'
import type { Uid } from './uid.ts'

interface AttributeBase {
  readonly name: string
  /** Never answered, filtered, sorted or selected, through any API. */
  readonly private: boolean
  readonly required: boolean
  /** Whether payloads may set it; seeds and defaults always may. False for what is `readOnly`. */
  readonly writable: boolean
  /** Whether only seeds, defaults and the server's own code may set it: a client's value is a fault. */
  readonly readOnly: boolean
  /** Whether clients may set it only when they create the entry. */
  readonly writeOnce: boolean
  /** i18n: whether each locale has its own value. */
  readonly localized: boolean
  /** The former name. */
  readonly renamedFrom?: string | undefined
  /** As the file or a plugin declares it; undefined for attributes that the runtime adds. */
  readonly declared?: AttributeConfig | undefined
}

export interface ScalarAttribute extends AttributeBase, Constraints {
  readonly kind: 'scalar'
  readonly type: ScalarType
  /** The column that holds it; one that is computed has none. */
  readonly column: string
  readonly unique: boolean
  readonly default: unknown
  /** Whether `_q` looks at it, if its type can be searched. */
  readonly searchable: boolean
  /** Whether there is an index of the parts of its text. */
  readonly textIndex: boolean
  /** For `uid`: the attribute that the value is made from. */
  readonly targetField: string | undefined
  /** Undefined for attributes that are stored. */
  readonly computed?: Computed | undefined
  /** createdAt, updatedAt, publishedAt, id: maintained by the runtime, not settable from a payload. */
  readonly system: boolean
}

/** How a value is made from the stored values of an entry or component when it is read. */
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
  /** Whether this side leads to one entry or to several. */
  readonly cardinality: 'one' | 'many'
  /** Undefined for morphToOne and morphToMany, which point at any content-type. */
  readonly target: ContentType | undefined
  /** Every content-type it may point at: `target`, or all content-types for morphToOne and morphToMany. */
  readonly targets: readonly ContentType[]
  /** The other side, when it is declared. */
  readonly inverse: RelationAttribute | undefined
  /** Whether the join table is named after this side, as it is for one side of every relation. */
  readonly owner: boolean
  /** Whether REST may populate it; GraphQL always may. */
  readonly populatable: boolean
  /** An entry of the target belongs to one entry of this side at most (oneToOne, oneToMany with an inverse side). */
  readonly exclusive: boolean
  /** For the `related` of files: the media attributes that lead to files. Such a side has no table of its own. */
  readonly shownBy?: readonly ShownBy[] | undefined
  /**
   * For the `localizations` of documents, and for what asks about versions: which rows of the same document it leads
   * to. Such a side has no table, either.
   */
  readonly sameDocument?: SameDocument | undefined
}

/**
 * Of a row of a document: the same version in other locales, the other version in the same locale, that version if the
 * draft is newer than what is published, or published versions in any locale.
 */
export type SameDocument = 'locales' | 'version' | 'modified' | 'published'

interface ShownBy {
  readonly type: ContentType
  readonly attribute: MediaAttribute
}

/** Media are relations to the files of the upload plugin. */
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

/** The common part of content-types and components: a table and attributes. */
export interface Schema {
  readonly uid: string
  /** The former uid. */
  readonly renamedFrom?: string | undefined
  /** Declared attributes, in the order of the file. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** The table's name. */
  readonly collectionName: string
  readonly id: ScalarAttribute
  readonly displayName: string
}

/** A rule across the attributes of an entry. A write after which it is false is refused; unknown is not false. */
export interface EntryCheck {
  readonly expression: Expression
  /** The expression as it is written. */
  readonly text: string
  readonly message: string
  /** The first attribute that the rule names. */
  readonly attribute: string | undefined
}

/** At least one attribute, in the order of the file; the relations lead to one entry. */
export type AttributeSet = readonly (ScalarAttribute | RelationAttribute)[]

export interface ContentType extends Schema {
  readonly kind: 'collectionType' | 'singleType'
  readonly uid: Uid
  readonly singularName: string
  readonly pluralName: string
  readonly description: string | undefined
  /** The key under `contentTypes` in the file; undefined for a plugin's own. */
  readonly sourceKey: string | undefined
  readonly draftAndPublish: boolean
  /** Undefined where entries are no documents (`model/content-rules.ts`). */
  readonly document: DocumentAttributes | undefined
  readonly localized: boolean
  /**
   * Maintained by the runtime, answered after the declared attributes: createdAt, updatedAt, publishedAt (with
   * draftAndPublish), locale (localized). Documents have documentId first, and publishedAt always.
   */
  readonly systemAttributes: ReadonlyMap<string, ScalarAttribute>
  readonly createdAt: ScalarAttribute
  readonly updatedAt: ScalarAttribute
  readonly publishedAt: ScalarAttribute | undefined
  /** Localized types only: the entry's locale. `enum` lists the locales, `default` is the default locale. */
  readonly locale: ScalarAttribute | undefined
  /** Sets of attributes whose values no two entries may have together; for localized types, within a locale. */
  readonly uniqueSets: readonly AttributeSet[]
  /** Sets of attributes that the file wants an index for. */
  readonly indexedSets: readonly AttributeSet[]
  /** Expressions that must hold for each entry. */
  readonly checks: readonly EntryCheck[]
  /** `options`, `pluginOptions` and the generated router's options as written. */
  readonly options: Readonly<Record<string, unknown>>
  readonly pluginOptions: Readonly<Record<string, unknown>> | undefined
  readonly rest: ContentTypeRest
}

/** The attributes that documents add to a content-type. */
export interface DocumentAttributes {
  /** The same for all versions and locales of a document. */
  readonly documentId: ScalarAttribute
  /**
   * Whether a document has a draft row in each locale, whose `publishedAt` is null, and perhaps a published row beside
   * it; otherwise it has one row.
   */
  readonly versions: boolean
  /** Relations to rows of the same document that only queries about versions use. */
  readonly rows: Readonly<Record<Exclude<SameDocument, 'locales'>, RelationAttribute>>
  /** Types without versions: `publishedAt`, which is the moment of the last write there. */
  readonly stamp: ScalarAttribute | undefined
  /** Whether updates leave `stamp` as it is: that of a file is when it was uploaded. */
  readonly stampKept: boolean
}

export interface ContentTypeRest {
  /** The actions that the generated router serves. */
  readonly actions: ReadonlySet<string>
  /** The `Cache-Control` of its reads for callers without authorization. */
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

/** Whether the attribute may hold several entries or components. */
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
