// The socket for GraphQL: what a plugin adds to the generated schema, as plain data, and what its resolvers
// are given.

import type { GraphQLResolveInfo } from 'graphql'
import type { Principal } from '../auth/principal.ts'
import type { EntryRow } from '../content/entry.ts'
import type { HttpRequest } from '../http/request.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { Access } from '../plan/planning.ts'
import type { ReadPlan } from '../plan/read-plan.ts'

/** What every resolver of an operation shares: one object a request. */
export interface GraphqlContext {
  readonly request: HttpRequest
  readonly principal: Principal
}

export type GraphqlResolver = (
  parent: unknown,
  args: Readonly<Record<string, unknown>>,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => unknown

/** What a plugin's additions are called, so that no content-type takes the name. */
export interface GraphqlNames {
  /** Of queries and mutations. */
  readonly fields: readonly string[]
  readonly types?: readonly string[]
  readonly typePrefixes?: readonly string[]
}

/** `false`: open to every caller. Otherwise all of the actions are needed. */
export type GraphqlAuth = false | { readonly scope: readonly string[] }

export interface GraphqlExtension {
  /** SDL: new types, and `type Query { … }` or `extend type X { … }` for more fields of types there are. */
  readonly typeDefs?: string
  /** By type, then field. A generated field's resolver may be replaced. */
  readonly resolvers?: Readonly<Record<string, Readonly<Record<string, GraphqlResolver>>>>
  /** By `Type.field`. A root field without an entry needs a caller who says who they are. */
  readonly auth?: Readonly<Record<string, GraphqlAuth>>
}

/** What of one entry is asked by the selection below a field that answers `<Name>EntityResponse`. */
export interface EntrySelection {
  readonly params: Params
  readonly access: Access
  /** What the resolver of such a field returns. */
  answer(plan: ReadPlan, entry: EntryRow): unknown
}

/** What the graphql plugin does for the extensions of others. */
export interface GraphqlTools {
  /** Whether the schema has types for it, which an extension may name. */
  isShown(type: ContentType): boolean
  entrySelection(type: ContentType, context: GraphqlContext, info: GraphQLResolveInfo): EntrySelection
}

/** Called once for every generation, when its schema is made. */
export type OfferGraphql = (tools: GraphqlTools) => GraphqlExtension
