// Shares state among the type builders while one schema is built.

import type {
  GraphQLFieldConfigArgumentMap,
  GraphQLFieldResolver,
  GraphQLOutputType,
  GraphQLScalarType,
} from 'graphql'
import type { Attribute } from '../../../model/attribute.ts'
import type { Component, ContentType, Schema } from '../../../model/content-type.ts'
import type { Model } from '../../../model/model.ts'
import type { OperationTable } from '../../../operations/operation-table.ts'
import { isContentType } from '../../../plan/find-attribute.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import type { ShadowCrudSettings } from '../../shadow-crud-settings.ts'
import type { EntryResolvers } from '../resolvers/entry-resolvers.ts'

export interface SchemaBuilding {
  readonly model: Model
  readonly shadowCrud: ShadowCrudSettings
  readonly operations: OperationTable
  readonly resolvers: EntryResolvers
  readonly localeCode: GraphQLScalarType | undefined
  /** Whether a Strapi 5 schema also keeps parts of Strapi 4's. */
  readonly v4Compatible: boolean
}

export interface FieldShape {
  readonly type: GraphQLOutputType
  readonly args?: GraphQLFieldConfigArgumentMap
  readonly resolve?: GraphQLFieldResolver<unknown, GraphqlContext>
}

export function getUid(schema: Schema): string {
  return (schema as ContentType | Component).uid
}

/** Declared attributes, then those that the server maintains. */
export function listAttributes(schema: Schema): readonly Attribute[] {
  const declared = [...schema.attributes.values()]
  if (!isContentType(schema)) return declared
  // As in Strapi, `localizations` and `locale` come after the timestamps; for documents, `locale` comes first
  // of the two.
  const all = [...declared, ...schema.systemAttributes.values()]
  const isLast = ({ name }: Attribute): boolean => name === 'localizations' || name === 'locale'
  const last = all.filter(isLast)
  if (schema.document !== undefined) last.sort((a, b) => (a.name < b.name ? -1 : 1))
  return [...all.filter((attribute) => !isLast(attribute)), ...last]
}
