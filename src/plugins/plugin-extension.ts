// The contract of a file of Strapi that changes a plugin: `src/extensions/<plugin>/strapi-server`.

import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'

export interface ExtensionPoint {
  /** `./file.ts`, whose export is a function that takes the plugin. */
  readonly text: string
  readonly path: DiagnosticPath
  /** The routes that the file may change, by Strapi's names. */
  readonly routes: readonly StrapiRoute[]
  /** Root fields of GraphQL that do the same as an action: `{ 'auth.register': 'Mutation.register' }`. */
  readonly graphqlFields: Readonly<Record<string, string>>
}

export interface StrapiRoute {
  readonly method: string
  /** Below the plugin's own path, unless `isTop`. */
  readonly path: string
  /** `auth.callback`. */
  readonly handler: string
  readonly isTop: boolean
}
