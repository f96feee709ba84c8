// Adds the options of users' code to a route: authorization, policies and middlewares.

import type { Guard, GuardedHandler, Requirement } from '../access/guard.ts'
import type { BoundPolicy } from '../access/policy.ts'
import type { HttpRequest } from '../http/request.ts'
import type { PathParameters, Route } from '../http/route.ts'
import type { ReadCallerState } from '../write/caller-state.ts'
import { createRestContext, type RestContext, type RestMiddleware } from './rest-context.ts'

export interface RouteOptions {
  /** Undefined: requires the usual permission. */
  readonly auth: Requirement | undefined
  readonly policies: readonly BoundPolicy[]
  /** The first is the outermost. */
  readonly middlewares: readonly RestMiddleware[]
}

export type OptionsOfRoute = (uid: string, action: string) => RouteOptions | undefined

export interface OwnRoute extends RouteOptions {
  readonly method: Route['method']
  readonly path: string
  readonly handler: (context: RestContext) => unknown
}

export function guardWithOptions(
  guard: Guard,
  getOptions: OptionsOfRoute,
  readState: ReadCallerState,
): Guard {
  return {
    getPrincipal: guard.getPrincipal,
    getCaller: guard.getCaller,
    actAs: guard.actAs,
    protect(required, handler) {
      if (typeof required !== 'string') return guard.protect(required, handler)
      const dot = required.lastIndexOf('.')
      const options = getOptions(required.slice(0, dot), required.slice(dot + 1))
      if (options === undefined) return guard.protect(required, handler)
      const withRoute = addRoute(readState, describeRoute(required))
      return guard.protect(options.auth ?? required, withOptions(options, handler, withRoute, ['id']))
    },
  }
}

/** `ctx.state.route`, by which Strapi's code finds the content-type that a request is about. */
interface StateRoute {
  readonly method?: string
  readonly path?: string
  /** `api::note.note.find`. */
  readonly handler?: string
  readonly info: { readonly type: 'content-api'; readonly apiName?: string; readonly pluginName?: string }
}

function describeRoute(permission: string): StateRoute {
  const [, kind, name] = /^(api|plugin)::([^.]+)/.exec(permission) ?? []
  const owner = name === undefined ? {} : { [kind === 'api' ? 'apiName' : 'pluginName']: name }
  return { handler: permission, info: { type: 'content-api', ...owner } }
}

function addRoute(readState: ReadCallerState, route: StateRoute): ReadCallerState {
  return async (principal) => ({ ...(await readState(principal)), route })
}

/** Without `auth`, the author's own route is open to every authenticated caller. */
export function ownRoutes(
  routes: readonly OwnRoute[],
  guard: Guard,
  readState: ReadCallerState,
): readonly Route[] {
  return routes.map((route) => {
    const { method, path, handler } = route
    const withRoute = addRoute(readState, { method, path, info: { type: 'content-api' } })
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const response: GuardedHandler = async (request, parameters, principal) => {
      const context = await createRestContext(request, getParameters(names, parameters), () =>
        withRoute(principal),
      )
      return context.run(route.policies, route.middlewares, async () => {
        const value = await handler(context.context)
        if (value !== undefined && context.context.body === undefined) context.context.body = value
        return undefined
      })
    }
    return { method, path, handler: guard.protect(route.auth ?? { kind: 'somebody' }, response) }
  })
}

function withOptions(
  { policies, middlewares }: RouteOptions,
  handler: GuardedHandler,
  readState: ReadCallerState,
  names: readonly string[],
): GuardedHandler {
  if (policies.length === 0 && middlewares.length === 0) return handler
  return async (request: HttpRequest, parameters: PathParameters, principal) => {
    const context = await createRestContext(request, getParameters(names, parameters), () =>
      readState(principal),
    )
    return context.run(policies, middlewares, async (changed) => handler(changed, parameters, principal))
  }
}

function getParameters(names: readonly string[], values: PathParameters): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map((value, index) => [names[index] ?? String(index), value]))
}
