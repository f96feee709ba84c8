// The changes of users' code to the GraphQL schema, collected before the schema is made. The graphql plugin interprets
// them later.

import type { BoundPolicy } from '../access/policy.ts'
import type { DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import type { ReadCallerState } from '../write/caller-state.ts'
import type { GraphqlAuth } from './graphql-extension.ts'
import type { ShadowCrudSettings } from './shadow-crud-settings.ts'

/** As passed to `use`: an object, or a function that returns one. */
export interface UserExtension {
  readonly extension: unknown
  /** The name in reports: its file, or the function that registered it. */
  readonly name: string
  /** The entry of the configuration that named it. */
  readonly path: DiagnosticPath
}

/** Options of one resolver, with all references resolved. */
export interface ResolverOptions {
  /** Undefined: the same as without options. */
  readonly auth: GraphqlAuth | undefined
  readonly policies: readonly BoundPolicy[]
  /** `(next, parent, args, context, info)`; the first middleware is the outermost. */
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
  /** Whether there is a `register` hook: then it is known only after the hook has run what guards the schema. */
  readonly registers: boolean
}
