// The GraphQL extension point for plugins: additions to the schema, and their resolvers' context.

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

export interface GraphqlContext {
  readonly request: HttpRequest
  readonly principal: Principal
  /** Set by a resolver for a status other than 200. */
  status?: number
}

export type GraphqlResolver = (
  parent: unknown,
  args: Readonly<Record<string, unknown>>,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => unknown

/** Carries the caller's current principal for the resolvers. */
export interface SubscriptionEvent {
  /** The same object for subscriptions with the same event: equal ones share a result. */
  readonly value: object
  readonly principal: Principal
  /** The same object for all subscriptions with the event: its cost to a caller is counted once. */
  readonly cause: object
}

export interface SubscribingContext extends GraphqlContext {
  readonly subscription: OpenSubscription
}

export type GraphqlSubscriber = (
  args: Readonly<Record<string, unknown>>,
  context: SubscribingContext,
) => AsyncIterable<SubscriptionEvent> | Promise<AsyncIterable<SubscriptionEvent>>

/** Reserved against content-types. */
export interface GraphqlNames {
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
  /** By field of `Subscription`: yields the parent values of its resolver. */
  readonly subscriptions?: Readonly<Record<string, GraphqlSubscriber>>
  /** By `Type.field`. A root field without an entry requires an authenticated caller. */
  readonly auth?: Readonly<Record<string, GraphqlAuth>>
}

/** The selection below a field of type `<Name>EntityResponse`. */
export interface EntrySelection {
  readonly params: Params
  readonly access: Access
  readonly budget: RequestBudget
  resolve(plan: ReadPlan, entry: EntryRow): unknown
}

export interface GraphqlTools {
  isShown(type: ContentType): boolean
  entrySelection(type: ContentType, context: GraphqlContext, info: GraphQLResolveInfo): EntrySelection
}

/** Called once per app, when its schema is built. */
export type CreateGraphqlExtension = (tools: GraphqlTools) => GraphqlExtension
