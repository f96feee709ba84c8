// Names made from names: columns, and the types that GraphQL, OpenAPI and TypeScript have for content-types and
// components. Words are split as Strapi splits them.

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
  return pascalCase(pluginOf(uid)) + pascalCase(singularName)
}

/** `shared.opening-hour` -> `ComponentSharedOpeningHour`. */
export function nameOfComponent({ uid }: Pick<Component, 'uid'>): string {
  return `Component${pascalCase(uid)}`
}

/** Of a plugin's content-type the plugin; empty for those of the file. */
export function pluginOf(uid: string): string {
  return uid.startsWith('plugin::') ? uid.slice('plugin::'.length, uid.indexOf('.')) : ''
}

function words(name: string): string[] {
  return name.match(WORDS) ?? []
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()
}

/**
 * What a policy or middleware is declared as: Strapi names one of an API `api::note.is-owner`, one for all APIs
 * `global::is-owner`, and the file declares both as `is-owner`.
 */
export function declaredName(name: string, declared: readonly string[]): string {
  if (declared.includes(name)) return name
  return /^(?:api::[^.]+\.|global::)(.+)$/.exec(name)?.[1] ?? name
}
