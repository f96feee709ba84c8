// What was found of a Strapi 4 project, in its folder or in an archive of `strapi export`, before any of it is believed
// to fit: what `make-config.ts` makes a configuration of.

import { isRecord } from '../util/is-record.ts'

export type Json = Readonly<Record<string, unknown>>

export interface StrapiRole {
  readonly id: number
  readonly type: string
  readonly name: string
  readonly description: string
  readonly actions: readonly string[]
}

export interface StrapiSource {
  /** Schemas of content-types by uid, plugins' and the admin's among them. */
  readonly contentTypes: ReadonlyMap<string, Json>
  /** By uid (`shared.seo`). */
  readonly components: ReadonlyMap<string, Json>
  readonly roles: readonly StrapiRole[]
  readonly locales: readonly { readonly code: string; readonly name: string }[]
  readonly defaultLocale: string | undefined
  /** The settings of users-permissions that its admin panel keeps. */
  readonly advanced: Json | undefined
  /** Plugins that the project has, as far as that can be seen. */
  readonly plugins: ReadonlySet<string>
  /** What was seen and not taken. */
  readonly notes: readonly string[]
}

/** The project or archive cannot be understood; nothing was written. */
export class StrapiFault extends Error {
  override name = 'StrapiFault'
}

export function record(value: unknown): Json {
  return isRecord(value) ? value : {}
}

export function textOf(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise
}
