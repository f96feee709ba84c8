// A Strapi project from its folder or an archive of `strapi export`, before it is checked.

import type { ApiVersion } from '../../config/config.ts'
import type { ImportNote } from './import-notes.ts'

export type Json = Readonly<Record<string, unknown>>

export interface StrapiRole {
  readonly id: number
  readonly type: string
  readonly name: string
  readonly description: string
  readonly actions: readonly string[]
}

export interface StrapiSource {
  readonly apiVersion: ApiVersion
  /** By uid, including content-types of plugins and the admin panel. */
  readonly contentTypes: ReadonlyMap<string, Json>
  /** By uid (`shared.seo`). */
  readonly components: ReadonlyMap<string, Json>
  readonly roles: readonly StrapiRole[]
  readonly locales: readonly { readonly code: string; readonly name: string }[]
  readonly defaultLocale: string | undefined
  /** The settings of users-permissions that are made in the admin panel. */
  readonly advanced: Json | undefined
  readonly plugins: ReadonlySet<string>
  readonly graphql?: Json
  readonly rest?: Json
  readonly server?: Json
  /** The types of custom fields that the project's own code registers, by their names. */
  readonly customFields?: ReadonlyMap<string, string>
  readonly notes: readonly ImportNote[]
}

/** Content-types of plugins that a project may add attributes to here. */
export const USER = 'plugin::users-permissions.user'
export const FILE = 'plugin::upload.file'

export function isExtensible(uid: string): boolean {
  return uid === USER || uid === FILE
}

/** Thrown before any write when the project or archive cannot be read. */
export class StrapiFault extends Error {
  override name = 'StrapiFault'
}

/** Throws StrapiFault for unsupported versions; `what` begins the sentence. */
export function getApiVersion(version: string, what: string): ApiVersion {
  const major = /^[\^~]?(\d+)\./.exec(version)?.[1]
  if (major === '4' || major === '5') return `strapi-${major}`
  throw new StrapiFault(`${what} Strapi ${version}; this reads Strapi 4 and 5`)
}

export function formatText(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise
}

/** Strapi's database stores settings as JSON text; exports and config-sync contain the text or the parsed value. */
export function getSetting(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
