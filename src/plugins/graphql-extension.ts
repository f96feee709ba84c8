// The GraphQL extension point: what a plugin adds to the generated schema, as plain data, and what its resolvers
// receive.

import type { GraphQLResolveInfo } from 'graphql'
import type { Principal } from '../access/principal.ts'
import type { OpenSubscription } from '../access/subscription-limits.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { EntryRow } from '../query/rows/entry.ts'
import type { RequestBudget } from '../query/rows/request-budget.ts'

/** Shared by all resolvers of an operation: one object per operation. */
export interface GraphqlContext {
  readonly request: HttpRequest
  readonly principal: Principal
  /** Set by a resolver whose answer has another status than 200. */
  status?: number
}

export type GraphqlResolver = (
  parent: unknown,
  args: Readonly<Record<string, unknown>>,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => unknown

/** Each value comes with the caller as it is then: the resolvers of that answer are given it. */
export interface SubscriptionEvent {
  /** The same object for subscriptions that are told the same: those that ask for the same of it share an answer. */
  readonly value: object
  readonly principal: Principal
  /** The same object for all subscriptions that are told of it: what it costs a caller is counted together. */
  readonly cause: object
}

/** The context of a subscription while it lasts. */
export interface SubscribingContext extends GraphqlContext {
  readonly subscription: OpenSubscription
}

export type GraphqlSubscriber = (
  args: Readonly<Record<string, unknown>>,
  context: SubscribingContext,
) => AsyncIterable<SubscriptionEvent> | Promise<AsyncIterable<SubscriptionEvent>>

/** Names of a plugin's additions, which no content-type may use. */
export interface GraphqlNames {
  /** Names of queries and mutations. */
  readonly fields: readonly string[]
  readonly types?: readonly string[]
  readonly typePrefixes?: readonly string[]
}

/** `false`: open to every caller. Otherwise the caller needs all of the actions. */
export type GraphqlAuth = false | { readonly scope: readonly string[] }

export interface GraphqlExtension {
  /** SDL: new types, and `type Query { … }` or `extend type X { … }` to add fields to existing types. */
  readonly typeDefs?: string
  /** By type, then field. The resolver of a generated field may be replaced. */
  readonly resolvers?: Readonly<Record<string, Readonly<Record<string, GraphqlResolver>>>>
  /** By field of `Subscription`: what its resolver gets as parent, again and again. */
  readonly subscriptions?: Readonly<Record<string, GraphqlSubscriber>>
  /** By `Type.field`. A root field without an entry requires an authenticated caller. */
  readonly auth?: Readonly<Record<string, GraphqlAuth>>
}

/** The reads of the selection below a field of type `<Name>EntityResponse`. */
export interface EntrySelection {
  readonly params: Params
  readonly access: Access
  /** That of the answer, which the read is to be counted in. */
  readonly budget: RequestBudget
  /** The value that the resolver of such a field returns. */
  resolve(plan: ReadPlan, entry: EntryRow): unknown
}

/** The tools of the graphql plugin for extensions. */
export interface GraphqlTools {
  /** Whether the schema has types for the content-type, which an extension may name. */
  isShown(type: ContentType): boolean
  entrySelection(type: ContentType, context: GraphqlContext, info: GraphQLResolveInfo): EntrySelection
}

/** Called once for every app, when its schema is made. */
export type CreateGraphqlExtension = (tools: GraphqlTools) => GraphqlExtension
