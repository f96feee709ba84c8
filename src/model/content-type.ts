// Content-types and components: frozen and linked (spec 2.1).

import type { Attribute, ScalarAttribute } from './attribute.ts'
import type { Uid } from './uid.ts'

/** What content-types and components have in common: a table and attributes. */
export interface AttributeHolder {
  /** Declared attributes, in the order of the file. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** The table's name. */
  readonly collectionName: string
  readonly id: ScalarAttribute
  readonly displayName: string
}

export interface ContentType extends AttributeHolder {
  readonly kind: 'collectionType' | 'singleType'
  readonly uid: Uid
  readonly singularName: string
  readonly pluralName: string
  readonly description: string | undefined
  /** The key under `contentTypes` in the file; undefined for a plugin's own. */
  readonly sourceKey: string | undefined
  readonly draftAndPublish: boolean
  readonly populateCreatorFields: boolean
  readonly localized: boolean
  /** Kept by the runtime, answered after the declared ones: createdAt, updatedAt, publishedAt (with draftAndPublish). */
  readonly systemAttributes: ReadonlyMap<string, ScalarAttribute>
  readonly createdAt: ScalarAttribute
  readonly updatedAt: ScalarAttribute
  readonly publishedAt: ScalarAttribute | undefined
  /** `options`, `pluginOptions` and the generated router's options as written. */
  readonly options: Readonly<Record<string, unknown>>
  readonly pluginOptions: Readonly<Record<string, unknown>>
  readonly rest: ContentTypeRest
}

export interface ContentTypeRest {
  /** The actions the generated router serves. */
  readonly actions: ReadonlySet<string>
}

export interface Component extends AttributeHolder {
  readonly uid: string
  readonly category: string
  readonly name: string
}
