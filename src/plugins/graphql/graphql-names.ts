// The GraphQL names of root fields, enumerations and dynamic zones.

import { plainLetters } from '../../lib/plain-letters.ts'
import type { Component, ContentType, Schema } from '../../model/content-type.ts'
import { getPlugin, nameOfComponent, nameOfType, toCamelCase, toPascalCase } from '../../model/naming.ts'
import { isContentType } from '../../plan/find-attribute.ts'

export function getObjectName(schema: Schema): string {
  return isContentType(schema) ? nameOfType(schema) : nameOfComponent(schema as Component)
}

export function getQueryNames(type: Pick<ContentType, 'uid' | 'kind' | 'singularName' | 'pluralName'>): {
  readonly one: string
  readonly many: string | undefined
} {
  const plugin = getPlugin(type.uid)
  const one = toCamelCase(`${plugin}-${type.singularName}`)
  return {
    one,
    many: type.kind === 'collectionType' ? toCamelCase(`${plugin}-${type.pluralName}`) : undefined,
  }
}

/** `createArticle`, `updateArticle`, `deleteArticle`, `createArticleLocalization`. */
export function listMutationNames(
  type: Pick<ContentType, 'uid' | 'kind' | 'singularName' | 'localized'>,
): string[] {
  const name = nameOfType(type)
  const names = type.kind === 'collectionType' ? [`create${name}`, `update${name}`] : [`update${name}`]
  names.push(`delete${name}`)
  if (type.localized) names.push(`create${name}Localization`)
  return names
}

/** `createArticles` for `createMany`, `upsertArticle`, `upsertArticles`. */
export function getManyName(
  action: string,
  { uid, singularName, pluralName }: Pick<ContentType, 'uid' | 'singularName' | 'pluralName'>,
): string {
  const name = action === 'upsert' ? singularName : pluralName
  return action.replace('Many', '') + nameOfType({ uid, singularName: name })
}

/**
 * `ENUM_DAILYSPECIAL_SPICE_LEVEL`: separators are removed from the schema's name, not from the attribute's.
 */
export function getEnumName(holderName: string, attributeName: string): string {
  return `ENUM_${holderName.toUpperCase()}_${attributeName.toUpperCase()}`
}

/** `PageBodyDynamicZone`. */
export function getZoneName(holderName: string, attributeName: string): string {
  return `${holderName}${toPascalCase(attributeName)}DynamicZone`
}

/** `how-to` -> `how_to`, `été` -> `ete`, `2024` -> `_2024`; the result is not always a valid GraphQL name. */
export function getEnumValue(value: string): string {
  const name = value
    .replace(/[ßæÆøØœŒđĐðþłŁ]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[0-9]/.test(name) ? `_${name}` : name
}

export const schemaTypes: ReadonlySet<string> = new Set([
  ...['Query', 'Mutation', 'Subscription', 'String', 'Int', 'Float', 'Boolean', 'ID'],
  ...['JSON', 'DateTime', 'Time', 'Date', 'Long', 'Upload', 'Error', 'GenericMorph', 'PublicationState'],
  ...['Pagination', 'PaginationArg', 'ResponseCollectionMeta', 'I18NLocaleCode'],
  ...['ID', 'Boolean', 'String', 'Int', 'Long', 'Float', 'Date', 'Time', 'DateTime', 'JSON'].map(
    (scalar) => `${scalar}FilterInput`,
  ),
])
