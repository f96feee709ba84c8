// Binds the code of routes to one app: handlers, policies and middlewares, and services that answer generated actions.

import type { Requirement } from '../access/guard.ts'
import type { Config } from '../config/config.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import { generatedActions, ownTypes } from '../model/actions.ts'
import type { Model } from '../model/model.ts'
import { expandPermission } from '../model/permission-pattern.ts'
import type { RestContext, RestMiddleware } from '../rest/rest-context.ts'
import type { GeneratedRoute, OwnRoute, RouteOptions } from '../rest/route-options.ts'
import { bindExtension } from './bind-extension.ts'
import { buildTools, createWrongKind, type OwnCode, type ReferenceContext } from './own-code.ts'
import { createFindHandler, type FindHandler } from './own-controllers.ts'
import { getPermission } from './own-plugins.ts'
import { CORE, hasAction } from './strapi-core.ts'
import type { UserCms } from './user-cms.ts'
import { type UserFunction, watchTime } from './watch-time.ts'

export interface RouteBinding {
  readonly config: Config
  readonly model: Model
  readonly actions: ReadonlySet<string>
  readonly own: OwnCode
  readonly log: UserCms['log']
  readonly report: Report
  readonly cms: UserCms
  findService(uid: string, strapi: UserCms['strapi']): unknown
  /** Code that `task` runs has the global `strapi` of the app. */
  within<T>(task: () => Promise<T>): Promise<T>
}

interface BoundRoutes {
  /** By action. */
  readonly generated: ReadonlyMap<string, GeneratedRoute>
  readonly routes: readonly OwnRoute[]
  readonly pluginRoutes: readonly OwnRoute[]
  /** `server.middlewares`. */
  readonly middlewares: readonly RestMiddleware[]
  /** Of GraphQL. */
  readonly closedFields: readonly string[]
}

export async function bindRoutes(binding: RouteBinding): Promise<BoundRoutes> {
  const { config, own, cms, log, report, within } = binding
  let findHandler: FindHandler | undefined

  async function bindHandler(reference: string, path: DiagnosticPath, of: string) {
    findHandler ??= createFindHandler({ code: own.code, strapi: cms.strapi, report })
    const find = findHandler
    const handler = await within(async () => find(reference, [...path, 'handler']))
    if (handler === undefined) return undefined
    const watched = watchTime(handler, `handler ${reference} of ${of}`, log)
    return (context: RestContext) => watched(context, buildTools(cms))
  }

  async function bindRoute(route: unknown, path: DiagnosticPath): Promise<RouteOptions> {
    const { auth, policies, middlewares } = await within(() => bindOptions(route, { path, report }, binding))
    return { auth: getRequirement(auth), policies, middlewares: middlewares as readonly RestMiddleware[] }
  }

  const generated = new Map<string, GeneratedRoute>()
  for (const [uid, { sourceKey, rest }] of Object.entries(config.contentTypes)) {
    for (const [action, route] of Object.entries(rest.config)) {
      if (route.closed !== undefined) {
        generated.set(`${uid}.${action}`, closeRoute(route.closed))
        continue
      }
      const path = ['contentTypes', sourceKey, 'rest', 'config', action]
      const handler =
        route.handler === undefined
          ? undefined
          : await bindHandler(route.handler, path, `${sourceKey}.${action}`)
      generated.set(`${uid}.${action}`, { ...(await bindRoute(route, path)), handler })
    }
  }
  for (const { action, handler } of await listServiceActions(binding)) {
    const known = generated.get(action)
    if (known?.handler !== undefined) continue
    generated.set(action, { auth: undefined, policies: [], middlewares: [], ...known, handler })
  }
  const routes: OwnRoute[] = []
  const closedFields: string[] = []
  for (const extension of own.extensions) {
    const { path } = extension
    const bound = await within(() =>
      bindExtension(extension, {
        ...{ cms, log, prefix: config.rest.prefix },
        bindOptions: (given) => bindRoute(given, path),
        report: (message) => report({ code: 'USR003', severity: 'error', path, message }),
      }),
    )
    for (const [action, route] of bound.generated) generated.set(action, route)
    routes.push(...bound.routes)
    closedFields.push(...bound.closedFields)
  }
  for (const [index, route] of config.routes.entries()) {
    const path = ['routes', index]
    const { method, permission, closed } = route
    if (closed !== undefined) {
      routes.push({ method, path: `${config.rest.prefix}${route.path}`, ...closeRoute(closed) })
      continue
    }
    const handler = await bindHandler(route.handler ?? '', path, `${method} ${route.path}`)
    if (handler === undefined) continue
    const { auth, ...bound } = await bindRoute(route, path)
    const needed: Requirement | undefined =
      permission === undefined ? undefined : { kind: 'all', actions: [permission] }
    routes.push({
      ...bound,
      auth: auth ?? needed,
      method,
      path: `${config.rest.prefix}${route.path}`,
      permission,
      handler,
    })
  }
  const pluginRoutes = own.plugins.flatMap(({ name, plugin, settings }) =>
    (plugin.operations ?? []).map(({ action, method, path, handler }): OwnRoute => {
      const watched = watchTime(handler as UserFunction, `${action} of the plugin ${name}`, log)
      return {
        method,
        path: `${config.rest.prefix}/${name}${path}`,
        auth: { kind: 'all', actions: [getPermission(name, action)] },
        policies: [],
        middlewares: [],
        handler: (context: RestContext) => watched(context, { ...buildTools(cms), settings }),
      }
    }),
  )
  const middlewares = await within(async () =>
    own.middlewares(config.server.middlewares, cms, { path: ['server', 'middlewares'], report }),
  )
  return {
    generated,
    routes,
    pluginRoutes,
    middlewares: middlewares as readonly RestMiddleware[],
    closedFields,
  }
}

function closeRoute(reason: string): RouteOptions & Pick<OwnRoute, 'handler'> {
  const handler = (): never => {
    throw new ApiError('ForbiddenError', 'Forbidden').because({ message: `this route is closed: ${reason}` })
  }
  return { auth: { kind: 'nothing' }, policies: [], middlewares: [], handler }
}

type Auth = ReturnType<typeof getAuth>

/** Of a route, or of a resolver of GraphQL. */
export async function bindOptions(
  options: unknown,
  { path, report }: ReferenceContext,
  { own, cms, actions }: RouteBinding,
) {
  const given: Readonly<Record<string, unknown>> = isRecord(options) ? options : {}
  const place = (name: string) => ({ path: [...path, name], report })
  return {
    auth: getAuth(given['auth'], actions, place('auth')),
    policies: await own.policies(given['policies'], cms, place('policies')),
    middlewares: own.middlewares(given['middlewares'], cms, place('middlewares')),
  }
}

/** Generated actions that a service of the file answers itself. */
async function listServiceActions({ config, model, report, cms, findService, within }: RouteBinding) {
  const found: { readonly action: string; readonly handler: (context: RestContext) => unknown }[] = []
  for (const uid of Object.keys(config.services)) {
    const type = ownTypes(model).find((one) => one.uid === uid)
    if (type === undefined) continue
    try {
      const service = await within(async () => findService(uid, cms.strapi))
      const controller = cms.strapi[CORE].getController(uid) as Readonly<Record<string, UserFunction>>
      for (const action of generatedActions[type.kind]) {
        const run = controller[action]
        if (run !== undefined && hasAction(service, action, type))
          found.push({ action: `${uid}.${action}`, handler: (context) => run(context) })
      }
    } catch (fault) {
      const message = `this service could not be created: ${String(fault)}`
      report({ code: 'USR004', severity: 'error', path: ['services', uid], message })
    }
  }
  return found
}

function getAuth(
  auth: unknown,
  actions: ReadonlySet<string>,
  { path, report }: { readonly path: DiagnosticPath; readonly report: Report },
): false | { readonly scope: readonly string[] } | undefined {
  if (auth === undefined || auth === true) return undefined
  if (auth === false) return false
  const scope = isRecord(auth) ? auth['scope'] : undefined
  if (!Array.isArray(scope) || scope.some((one) => typeof one !== 'string')) {
    report(createWrongKind(path, 'auth is false, or { scope: [permission] }', auth))
    return { scope: [] }
  }
  return {
    scope: scope.flatMap((pattern: string) => {
      const found = expandPermission(pattern, actions)
      if (found.length > 0) return found
      const message = `the scope "${pattern}" is not a permission that exists`
      report({ code: 'USR010', severity: 'error', path: [...path, 'scope'], message })
      return []
    }),
  }
}

function getRequirement(auth: Auth): Requirement | undefined {
  if (auth === undefined) return undefined
  return auth === false ? { kind: 'nothing' } : { kind: 'all', actions: auth.scope }
}
