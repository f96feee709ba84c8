// Derives names from names: columns, join tables, and the types of content-types and components in GraphQL, OpenAPI and
// TypeScript. Splits words as Strapi does.

import { createHash } from 'node:crypto'
import type { Component, ContentType } from './content-type.ts'

const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

/** `spiceLevel` and `spice-level` -> `spice_level`, `line2` -> `line_2`. */
export function snakeCase(name: string): string {
  return words(name)
    .map((word) => word.toLowerCase())
    .join('_')
}

/** `daily-special` -> `DailySpecial`. */
export function pascalCase(name: string): string {
  return words(name).map(capitalize).join('')
}

/** `daily-special` -> `dailySpecial`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name)
  return pascal.slice(0, 1).toLowerCase() + pascal.slice(1)
}

/** `api::daily-special.daily-special` -> `DailySpecial`, `plugin::upload.file` -> `UploadFile`. */
export function nameOfType({ uid, singularName }: Pick<ContentType, 'uid' | 'singularName'>): string {
  return pascalCase(getPlugin(uid)) + pascalCase(singularName)
}

/** `shared.opening-hour` -> `ComponentSharedOpeningHour`. */
export function nameOfComponent({ uid }: Pick<Component, 'uid'>): string {
  return `Component${pascalCase(uid)}`
}

/** The plugin of a content-type; empty for content-types of the file. */
export function getPlugin(uid: string): string {
  return uid.startsWith('plugin::') ? uid.slice('plugin::'.length, uid.indexOf('.')) : ''
}

function words(name: string): string[] {
  return name.match(WORDS) ?? []
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()
}

/**
 * The name under which the file declares a policy or middleware: `is-owner` for Strapi's `api::note.is-owner` (of one
 * API) and for `global::is-owner` (for all APIs).
 */
export function declaredName(name: string, declared: readonly string[]): string {
  if (declared.includes(name)) return name
  return /^(?:api::[^.]+\.|global::)(.+)$/.exec(name)?.[1] ?? name
}

/** The table that joins the entries of a relation or media attribute, named by the side that owns it. */
export function linkTableName(collectionName: string, attributeName: string): string {
  return shortName(`${collectionName}_${snakeCase(attributeName)}_links`)
}

/** The table that joins components to the entries of a content-type, or to other components. */
export function placesTableName(collectionName: string): string {
  return shortName(`${collectionName}_components`)
}

/** In bytes. PostgreSQL truncates longer names silently, after which two of them can collide. */
const MAX_NAME_BYTES = 63

/** Shortens the name of a table or index if necessary: to its beginning and a hash of the whole. */
export function shortName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10)
  return `${name.slice(0, MAX_NAME_BYTES - hash.length - 1)}_${hash}`
}
