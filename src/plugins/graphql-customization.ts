// What users' code asks of the GraphQL schema, collected before the schema is made and not looked into yet:
// the graphql plugin does that.

import type { BoundPolicy } from '../auth/policy.ts'
import type { ReadCallerState } from '../content/caller-state.ts'
import type { DiagnosticPath, Report } from '../errors/diagnostic.ts'
import type { GraphqlAuth } from './graphql-extension.ts'
import type { ShadowCrudSettings } from './shadow-crud-settings.ts'

/** As `use` was given it: an object, or a function that answers one. */
export interface UserExtension {
  readonly extension: unknown
  /** What it is called in reports: its file, or the function that registered it. */
  readonly name: string
  /** The entry of the configuration that brought it in. */
  readonly path: DiagnosticPath
}

/** Options of one resolver, with everything they name found. */
export interface ResolverOptions {
  /** Undefined: as without options. */
  readonly auth: GraphqlAuth | undefined
  readonly policies: readonly BoundPolicy[]
  /** `(next, parent, args, context, info)`; the first is the outermost. */
  readonly middlewares: readonly ((...args: readonly unknown[]) => unknown)[]
}

export interface GraphqlCustomization {
  readonly shadowCrud: ShadowCrudSettings
  /** In the order in which they are merged. */
  readonly extensions: readonly UserExtension[]
  /** `graphql.resolversConfig` of the file, by `Type.field`; merged last. */
  readonly resolversConfig: Readonly<Record<string, unknown>>
  /** `cms` and `strapi`, for functions that make extensions. */
  readonly tools: Readonly<Record<string, unknown>>
  bind(options: unknown, path: DiagnosticPath, report: Report): Promise<ResolverOptions>
  readonly readState: ReadCallerState
  /** Whether there is a `register`: what guards the schema is known when that has run, and not before. */
  readonly registers: boolean
}
