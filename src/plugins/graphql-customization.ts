// Changes of users' code to the GraphQL schema, collected before the schema is built.

import type { BoundPolicy } from '../access/policy.ts'
import type { DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import type { ReadCallerState } from '../write/caller-state.ts'
import type { GraphqlAuth } from './graphql-extension.ts'
import type { ShadowCrudSettings } from './shadow-crud-settings.ts'

export interface UserExtension {
  readonly extension: unknown
  readonly name: string
  readonly path: DiagnosticPath
}

export interface ResolverOptions {
  readonly auth: GraphqlAuth | undefined
  readonly policies: readonly BoundPolicy[]
  /** `(next, parent, args, context, info)`; the first middleware is the outermost. */
  readonly middlewares: readonly ((...args: readonly unknown[]) => unknown)[]
}

export interface GraphqlCustomization {
  readonly shadowCrud: ShadowCrudSettings
  readonly extensions: readonly UserExtension[]
  /** `graphql.resolversConfig` of the file, by `Type.field`; merged last. */
  readonly resolversConfig: Readonly<Record<string, unknown>>
  readonly tools: Readonly<Record<string, unknown>>
  bind(options: unknown, path: DiagnosticPath, report: Report): Promise<ResolverOptions>
  readonly readState: ReadCallerState
  /** Whether a `register` hook may add policies, so that they are unknown until it has run. */
  readonly registers: boolean
}
