// Wraps a resolver in users' policies and middlewares. Order: permission check, `context.state` and
// `context.http`, policies, middlewares, resolver.

import { defaultFieldResolver, type GraphQLField, type GraphQLResolveInfo } from 'graphql'
import { assertPolicies } from '../../../access/policy.ts'
import { getHeaders } from '../../../http/header-view.ts'
import type { CallerState, ReadCallerState } from '../../../write/caller-state.ts'
import type { ResolverOptions } from '../../graphql-customization.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { type CacheControl, cacheControlFor } from '../execution/cache-hints.ts'
import { resolveFacts, withFacts } from '../fields/field-facts.ts'
import { handOn, rememberSent } from '../selection/sent-arguments.ts'

type Args = Readonly<Record<string, unknown>>
type Field = GraphQLField<unknown, GraphqlContext>
type Resolve = (parent: unknown, args: Args, context: GraphqlContext, info: GraphQLResolveInfo) => unknown

/** The last argument is the replaced resolver; called without arguments, it receives the same ones. */
export type UserResolver = (
  parent: unknown,
  args: Args,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  original: (...given: readonly unknown[]) => unknown,
) => unknown

interface UserContext extends GraphqlContext {
  state?: CallerState
  http?: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, unknown>>
  }
}

export function replaceResolver(field: Field, resolver: UserResolver, readState: ReadCallerState): void {
  const original: Resolve = field.resolve ?? defaultFieldResolver
  field.resolve = (parent, args, context, info) => {
    const sent = rememberSent(args)
    return resolver(parent, args, context, info, (...given) => {
      const now = filled(given, parent, args, context, info)
      handOn(now[1], sent)
      return original(...now)
    })
  }
  wrapField(field, { auth: undefined, policies: [], middlewares: [] }, readState)
}

/**
 * The resolver receives each source event as its parent; without a resolver, the field is a property of the
 * event.
 */
export function setSubscriber(
  field: Field,
  subscribe: Resolve,
  resolve: Resolve | undefined,
  readState: ReadCallerState,
): void {
  field.subscribe = async (parent, args, context, info) => {
    await prepared(context, readState)
    const source = await subscribe(parent, args, context, info)
    if (!isIterable(source))
      throw new TypeError(`subscribe of ${field.name} did not return an async iterator`)
    return getEvents(source)
  }
  field.resolve = resolve ?? defaultFieldResolver
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/**
 * Not a generator, whose `return` would wait for the next event. `completes`: the subscription ends with its
 * source.
 */
function getEvents(source: AsyncIterable<unknown>) {
  const iterator = source[Symbol.asyncIterator]()
  return {
    completes: true,
    async next(): Promise<IteratorResult<unknown>> {
      const next = await iterator.next()
      return next.done === true
        ? { done: true, value: undefined }
        : { done: false, value: { value: next.value, principal: undefined, cause: undefined } }
    },
    async return(): Promise<IteratorResult<unknown>> {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

export function wrapField(field: Field, options: ResolverOptions, readState: ReadCallerState): void {
  const { policies, middlewares } = options
  const inner: Resolve = field.resolve ?? defaultFieldResolver
  const around = (middlewares as readonly Middleware[]).reduceRight<Resolve>(wrapped, inner)
  const run: Resolve =
    policies.length === 0
      ? around
      : async (parent, args, context, info) => {
          await assertPolicies(policies, policyContext(parent, args, context, info))
          return around(parent, args, context, info)
        }
  const { subscribe } = field
  if (subscribe !== undefined && policies.length > 0)
    field.subscribe = async (parent, args, context, info) => {
      await prepared(context, readState)
      await assertPolicies(policies, policyContext(parent, args, context, info))
      return subscribe(parent, args, context, info)
    }
  field.resolve = (parent, args, context, info) => {
    const own = context as UserContext
    withCacheControl(context, info)
    rememberSent(args)
    if (own.state !== undefined) return run(parent, args, context, info)
    return prepared(own, readState).then(() => run(parent, args, context, info))
  }
  markCustom(field)
}

/** Both engines make a new `info` for each call, so it can be changed. */
function withCacheControl(context: GraphqlContext, info: GraphQLResolveInfo): void {
  const given = info as GraphQLResolveInfo & { cacheControl?: CacheControl }
  given.cacheControl ??= cacheControlFor(context, info)
}

type Middleware = (next: (...given: readonly unknown[]) => unknown, ...rest: Parameters<Resolve>) => unknown

function wrapped(inner: Resolve, middleware: Middleware): Resolve {
  return (parent, args, context, info) => {
    let result: { value: unknown } | undefined
    const sent = rememberSent(args)
    const next = (...given: readonly unknown[]): unknown => {
      if (result === undefined) {
        const now = filled(given, parent, args, context, info)
        handOn(now[1], sent)
        // The resolver runs once, even if `next` is called several times.
        result = { value: inner(...now) }
      }
      return result.value
    }
    return middleware(next, parent, args, context, info)
  }
}

/** Arguments that the middleware omits keep their values. */
function filled(given: readonly unknown[], ...own: Parameters<Resolve>): Parameters<Resolve> {
  return own.map((value, index) => (given.length > index ? given[index] : value)) as Parameters<Resolve>
}

/** The field is not read ahead by its attribute, and users' code may read any attribute. */
function markCustom(field: Field): void {
  field.extensions = {
    ...field.extensions,
    ...withFacts({ ...resolveFacts(field), custom: true, offered: false }),
  }
}

const preparing = new WeakMap<GraphqlContext, Promise<void>>()

function prepared(context: UserContext, readState: ReadCallerState): Promise<void> {
  let ready = preparing.get(context)
  if (ready === undefined) {
    ready = readState(context.principal).then((state) => {
      const { request } = context
      context.state = state
      context.http = { method: request.method, path: request.path, headers: getHeaders(request) }
    })
    preparing.set(context, ready)
  }
  return ready
}

function policyContext(
  ...[parent, args, context, info]: Parameters<Resolve>
): Readonly<Record<string, unknown>> {
  const { state, http } = context as UserContext
  return {
    parent,
    args,
    context,
    info,
    state,
    http,
    type: 'graphql',
    is: (...names: readonly string[]) => names.includes('graphql'),
  }
}
