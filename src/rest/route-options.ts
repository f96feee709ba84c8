// Adds the options of users' code to a route: authorization, policies and middlewares.

import type { Guard, GuardedHandler, Requirement } from '../access/guard.ts'
import type { BoundPolicy } from '../access/policy.ts'
import type { Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { PathParameters, Route } from '../http/route.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { ReadCallerState } from '../write/caller-state.ts'
import {
  type CurrentRequest,
  createRestContext,
  type RestContext,
  type RestMiddleware,
} from './rest-context.ts'
import type { CoreActions } from './running-request.ts'

export interface RouteOptions {
  /** Undefined: requires the usual permission. */
  readonly auth: Requirement | undefined
  readonly policies: readonly BoundPolicy[]
  /** The first is the outermost. */
  readonly middlewares: readonly RestMiddleware[]
}

export interface GeneratedRoute extends RouteOptions {
  /** Answers instead of the generated action. */
  readonly handler?: OwnHandler | undefined
}

type OwnHandler = (context: RestContext) => unknown

export type OptionsOfRoute = (uid: string, action: string) => GeneratedRoute | undefined

export interface OwnRoute extends RouteOptions {
  readonly method: Route['method']
  readonly path: string
  /** For `ctx.state.route`; `auth` says who may use the route. */
  readonly permission?: string | undefined
  readonly handler: OwnHandler
}

interface CodeContext {
  readonly readState: ReadCallerState
  readonly current: CurrentRequest
  readonly coreActions: CoreActions
}

interface GuardOptions extends CodeContext {
  readonly getOptions: OptionsOfRoute
  /** Code around the action that reads; undefined without any. Asked at each request. */
  findAroundRead(uid: string, action: string): RestMiddleware | undefined
}

export function guardWithOptions(guard: Guard, { getOptions, findAroundRead, ...code }: GuardOptions): Guard {
  return {
    getPrincipal: guard.getPrincipal,
    getCaller: guard.getCaller,
    actAs: guard.actAs,
    carryToken: guard.carryToken,
    passOn: guard.passOn,
    protect(required, given, operation) {
      if (typeof required !== 'string') return guard.protect(required, given)
      const dot = required.lastIndexOf('.')
      const [uid, action] = [required.slice(0, dot), required.slice(dot + 1)]
      const handler: GuardedHandler = (request, parameters, principal) => {
        const around = findAroundRead(uid, operation ?? action)
        if (around === undefined) return given(request, parameters, principal)
        const options = { ...NO_OPTIONS, middlewares: [around] }
        return withOptions(options, given, code, ['id'])(request, parameters, principal)
      }
      if (operation === undefined) code.coreActions.set(required, handler)
      const options = getOptions(uid, action)
      // Numbers about entries would pass by the code that decides which entries a caller finds.
      if (operation !== undefined && options?.handler !== undefined) return refuseSummary
      if (options === undefined && code.current === undefined) return guard.protect(required, handler)
      const withRoute = { ...code, readState: addRoute(code.readState, describeRoute(required)) }
      const answer = withOptions(options ?? NO_OPTIONS, handler, withRoute, ['id'])
      return guard.protect(options?.auth ?? required, answer)
    },
  }
}

const NO_OPTIONS: GeneratedRoute = { auth: undefined, policies: [], middlewares: [] }

/** `ctx.state.route`, by which Strapi's code finds the content-type that a request is about. */
interface StateRoute {
  readonly method?: string
  readonly path?: string
  /** `api::note.note.find`. */
  readonly handler?: string
  readonly info: { readonly type: 'content-api'; readonly apiName?: string; readonly pluginName?: string }
}

function describeRoute(permission: string | undefined): StateRoute {
  const [, kind, name] = /^(api|plugin)::([^.]+)/.exec(permission ?? '') ?? []
  const owner = name === undefined ? {} : { [kind === 'api' ? 'apiName' : 'pluginName']: name }
  return { ...(permission !== undefined && { handler: permission }), info: { type: 'content-api', ...owner } }
}

function addRoute(readState: ReadCallerState, route: StateRoute): ReadCallerState {
  return async (principal) => ({ ...(await readState(principal)), route })
}

/** Middlewares of every request, which run before its route is found; undefined if there is nothing to run. */
export function surroundRequests(
  middlewares: readonly RestMiddleware[],
  guard: Guard,
  { readState, current, coreActions: actions }: CodeContext,
): (<Given extends readonly unknown[]>(handler: Handler<Given>) => Handler<Given>) | undefined {
  async function getState(request: HttpRequest): Promise<object> {
    try {
      return await readState(await guard.getCaller(request))
    } catch (fault) {
      // The route refuses an invalid token, after middlewares as in Strapi.
      if (fault instanceof ApiError) return {}
      throw fault
    }
  }

  if (middlewares.length === 0 && current === undefined) return undefined
  return (handler) =>
    async (request, ...given) => {
      const context = await createRestContext(request, {
        params: {},
        state: await getState(request),
        actions,
        current,
      })
      return context.run([], middlewares, async (changed) => {
        guard.passOn(request, changed)
        try {
          return await handler(changed, ...given)
        } finally {
          // For logs and metrics, which have the request as it came.
          request.route = changed.route
          request.caller = changed.caller
        }
      })
    }
}

type Handler<Given extends readonly unknown[]> = (
  request: HttpRequest,
  ...given: Given
) => Reply | Promise<Reply>

/** Without `auth`, the author's own route is open to every authenticated caller. */
export function ownRoutes(
  routes: readonly OwnRoute[],
  guard: Guard,
  { readState, current, coreActions: actions }: CodeContext,
): readonly Route[] {
  return routes.map((route) => {
    const { method, path, permission, handler } = route
    const withRoute = addRoute(readState, { method, path, ...describeRoute(permission) })
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const response: GuardedHandler = async (request, parameters, principal) => {
      const params = getParameters(names, parameters)
      const state = await withRoute(principal)
      const context = await createRestContext(request, { params, state, principal, actions, current })
      return context.run(route.policies, route.middlewares, async () => answer(handler, context.context))
    }
    return { method, path, handler: guard.protect(route.auth ?? { kind: 'somebody' }, response) }
  })
}

function withOptions(
  { policies, middlewares, handler: own }: GeneratedRoute,
  handler: GuardedHandler,
  { readState, current, coreActions: actions }: CodeContext,
  names: readonly string[],
): GuardedHandler {
  if (policies.length === 0 && middlewares.length === 0 && own === undefined && current === undefined)
    return handler
  return async (request: HttpRequest, parameters: PathParameters, principal) => {
    const params = getParameters(names, parameters)
    const state = await readState(principal)
    const context = await createRestContext(request, { params, state, principal, actions, current })
    return context.run(policies, middlewares, async (changed) =>
      own === undefined ? handler(changed, parameters, principal) : answer(own, context.context),
    )
  }
}

function refuseSummary(): never {
  const message =
    'the list of these entries is answered by code of the configuration, which does not count them'
  throw new ApiError('ForbiddenError', 'Forbidden').because({ message })
}

async function answer(handler: OwnHandler, context: RestContext): Promise<undefined> {
  const value = await handler(context)
  if (value !== undefined && context.body === undefined) context.body = value
}

function getParameters(names: readonly string[], values: PathParameters): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map((value, index) => [names[index] ?? String(index), value]))
}
