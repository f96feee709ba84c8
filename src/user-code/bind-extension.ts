// Binds the routes and controllers of a file that changes a plugin to one app.

import type { Requirement } from '../access/guard.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { RestContext, RestMiddleware } from '../rest/rest-context.ts'
import type { GeneratedRoute, OwnRoute, RouteOptions } from '../rest/route-options.ts'
import { buildTools } from './own-code.ts'
import { getAction, getPath, isCoreAction, type PluginExtension } from './plugin-extension.ts'
import type { UserCms } from './user-cms.ts'
import { type UserFunction, watchTime } from './watch-time.ts'

interface ExtensionBinding {
  readonly cms: UserCms
  readonly log: UserCms['log']
  /** Of the API. */
  readonly prefix: string
  /** Binds `auth`, `policies` and `middlewares` of the `config` of a route. */
  bindOptions(config: unknown): Promise<RouteOptions>
  /** About the file. */
  report(message: string): void
}

interface BoundExtension {
  /** By permission. */
  readonly generated: ReadonlyMap<string, GeneratedRoute>
  readonly routes: readonly OwnRoute[]
  /** Root fields of GraphQL that would pass by the code. */
  readonly closedFields: readonly string[]
}

type Actions = Readonly<Record<string, unknown>>

export async function bindExtension(
  extension: PluginExtension,
  { cms, log, prefix, bindOptions, report }: ExtensionBinding,
): Promise<BoundExtension> {
  const { plugin, text, graphqlFields } = extension
  const controllers = new Map(
    Object.entries(extension.controllers).map(([name, value]) => [name, makeActions(value, cms)]),
  )
  const watch = (run: UserFunction, action: string) => {
    const watched = watchTime(run, `${action} of ${text}`, log)
    return (context: RestContext): unknown => watched(context, buildTools(cms))
  }
  const findAction = (handler: unknown): ((context: RestContext) => unknown) | undefined => {
    if (typeof handler === 'function') return watch(handler as UserFunction, 'a handler')
    const [controller = '', name = ''] = String(handler).split('.')
    const actions = controllers.get(controller)
    const action = actions?.[name]
    return typeof action === 'function'
      ? watch(action.bind(actions) as UserFunction, String(handler))
      : undefined
  }

  const generated = new Map<string, GeneratedRoute>()
  const closedFields: string[] = []
  for (const [controller, actions] of controllers) {
    for (const [name, action] of Object.entries(actions)) {
      if (typeof action !== 'function' || isCoreAction(action)) continue
      const handler = `${controller}.${name}`
      generated.set(getAction(plugin, handler), { ...NO_OPTIONS, handler: findAction(handler) })
      const field = graphqlFields[handler]
      if (field !== undefined) closedFields.push(field)
    }
  }
  for (const { route, config } of extension.changed) {
    const permission = getAction(plugin, route.handler)
    const known = generated.get(permission) ?? NO_OPTIONS
    const { auth = known.auth, policies, middlewares } = await bindOptions(config)
    // Two routes may lead to the same action.
    generated.set(permission, {
      ...known,
      auth,
      policies: [...known.policies, ...policies],
      middlewares: [...known.middlewares, ...middlewares],
    })
  }
  const routes: OwnRoute[] = []
  for (const route of extension.routes) {
    const { method, path, handler: written, config } = route
    const handler = findAction(written)
    if (handler === undefined) {
      report(
        `the route ${String(method)} ${String(path)} names the handler ${String(written)}, which no controller has`,
      )
      continue
    }
    const permission = typeof written === 'string' ? getAction(plugin, written) : undefined
    const { auth, ...options } = await bindOptions(config)
    const needed: Requirement | undefined =
      permission === undefined ? undefined : { kind: 'all', actions: [permission] }
    routes.push({
      ...options,
      auth: auth ?? needed,
      method: String(method).toUpperCase() as OwnRoute['method'],
      path: prefix + getPath(plugin, route),
      permission,
      handler,
    })
  }
  for (const { method, path, isTop } of extension.removed) {
    const place = prefix + getPath(plugin, { path, config: isTop ? { prefix: '' } : {} })
    routes.push({
      ...NO_OPTIONS,
      method: method as OwnRoute['method'],
      path: place,
      auth: { kind: 'nothing' },
      handler: refuse,
    })
  }
  return { generated, routes, closedFields }
}

const NO_OPTIONS = { auth: undefined, policies: [], middlewares: [] as readonly RestMiddleware[] } as const

function refuse(): never {
  throw new ApiError('NotFoundError', 'Not Found')
}

/** A controller is its actions, or a function that makes them; that of the plugin is both. */
function makeActions(controller: unknown, cms: UserCms): Actions {
  const isMaker = typeof controller === 'function' && Object.keys(controller).length === 0
  const made: unknown = isMaker ? (controller as UserFunction)(buildTools(cms)) : controller
  return isRecord(made) || typeof made === 'function' ? { ...(made as Actions) } : {}
}
