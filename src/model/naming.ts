// Derives names of columns, join tables and types; splits words as Strapi does.

import { createHash } from 'node:crypto'
import type { Component, ContentType } from './content-type.ts'

const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

/** `spiceLevel` and `spice-level` -> `spice_level`, `line2` -> `line_2`. */
export function toSnakeCase(name: string): string {
  return words(name)
    .map((word) => word.toLowerCase())
    .join('_')
}

/** `daily-special` -> `DailySpecial`. */
export function toPascalCase(name: string): string {
  return words(name).map(capitalize).join('')
}

/** `daily-special` -> `dailySpecial`. */
export function toCamelCase(name: string): string {
  const pascal = toPascalCase(name)
  return pascal.slice(0, 1).toLowerCase() + pascal.slice(1)
}

/** `api::daily-special.daily-special` -> `DailySpecial`, `plugin::upload.file` -> `UploadFile`. */
export function nameOfType({ uid, singularName }: Pick<ContentType, 'uid' | 'singularName'>): string {
  return toPascalCase(getPlugin(uid)) + toPascalCase(singularName)
}

/** `shared.opening-hour` -> `ComponentSharedOpeningHour`. */
export function nameOfComponent({ uid }: Pick<Component, 'uid'>): string {
  return `Component${toPascalCase(uid)}`
}

/** Empty for content-types of the file. */
export function getPlugin(uid: string): string {
  return uid.startsWith('plugin::') ? uid.slice('plugin::'.length, uid.indexOf('.')) : ''
}

function words(name: string): string[] {
  return name.match(WORDS) ?? []
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()
}

/** Reads Strapi's `api::note.is-owner` (of one API) and `global::is-owner` (for all APIs) as `is-owner`. */
export function getDeclaredName(name: string, declared: readonly string[]): string {
  if (declared.includes(name)) return name
  return /^(?:api::[^.]+\.|global::)(.+)$/.exec(name)?.[1] ?? name
}

export function linkTableName(collectionName: string, attributeName: string): string {
  return shortenName(`${collectionName}_${toSnakeCase(attributeName)}_links`)
}

/** Joins components to the entries of a content-type, or to other components. */
export function getPlacesTableName(collectionName: string): string {
  return shortenName(`${collectionName}_components`)
}

/** PostgreSQL truncates longer names silently, and they can collide. */
const MAX_NAME_BYTES = 63

/** Keeps the beginning, and adds a hash of the whole. */
export function shortenName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10)
  return `${name.slice(0, MAX_NAME_BYTES - hash.length - 1)}_${hash}`
}

/** Of all tables besides those of content-types. */
export const OWN_TABLE_PREFIX = 'cms_run_'

/** In any case, because SQLite's names are case-insensitive. */
export function hasOwnPrefix(table: string): boolean {
  return table.toLowerCase().startsWith(OWN_TABLE_PREFIX)
}
