// A Strapi project as it was found, in its folder or in an archive of `strapi export`, before it is checked. `make-
// config.ts` makes a configuration from it.

import type { ApiVersion } from '../../config/config.ts'

export type Json = Readonly<Record<string, unknown>>

export interface StrapiRole {
  readonly id: number
  readonly type: string
  readonly name: string
  readonly description: string
  readonly actions: readonly string[]
}

export interface StrapiSource {
  /** By the version of Strapi that it is made for. */
  readonly apiVersion: ApiVersion
  /** Schemas of content-types by uid, including those of plugins and the admin panel. */
  readonly contentTypes: ReadonlyMap<string, Json>
  /** By uid (`shared.seo`). */
  readonly components: ReadonlyMap<string, Json>
  readonly roles: readonly StrapiRole[]
  readonly locales: readonly { readonly code: string; readonly name: string }[]
  readonly defaultLocale: string | undefined
  /** The settings of users-permissions that are made in the admin panel. */
  readonly advanced: Json | undefined
  /** Plugins that the project uses, as far as can be detected. */
  readonly plugins: ReadonlySet<string>
  /** `plugins.graphql.config` of the project, as far as it is taken. */
  readonly graphql?: Json
  /** Parts that were found but not imported. */
  readonly notes: readonly string[]
}

/** Thrown when the project or archive cannot be understood; nothing was written. */
export class StrapiFault extends Error {
  override name = 'StrapiFault'
}

/** Throws StrapiFault for versions that are not read; `what` begins the sentence. */
export function getApiVersion(version: string, what: string): ApiVersion {
  const major = /^[\^~]?(\d+)\./.exec(version)?.[1]
  if (major === '4' || major === '5') return `strapi-${major}`
  throw new StrapiFault(`${what} Strapi ${version}; this reads Strapi 4 and 5`)
}

export function formatText(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise
}
