// Runs a file of Strapi that changes the controllers and routes of a plugin, before the model is built: its routes have
// permissions of their own.

import type { Config } from '../config/config.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { buildRecord, isRecord } from '../lib/is-record.ts'
import type { ExtensionPoint, StrapiRoute } from '../plugins/plugin-extension.ts'
import { runPluginAction } from '../rest/core-actions.ts'
import type { RestContext } from '../rest/rest-context.ts'
import { withTimeout } from './with-timeout.ts'

/** `method`, `path`, `handler`, `config`: as code has written them. */
type WrittenRoute = Readonly<Record<string, unknown>>

export interface PluginExtension {
  readonly plugin: string
  readonly path: DiagnosticPath
  readonly text: string
  /** By name: actions, or a function of `{ strapi }` that makes them. */
  readonly controllers: Readonly<Record<string, unknown>>
  /** Those that the plugin has not, or that have another handler. */
  readonly routes: readonly WrittenRoute[]
  readonly removed: readonly StrapiRoute[]
  /** Routes of the plugin with a `config` of the file. */
  readonly changed: readonly { readonly route: StrapiRoute; readonly config: unknown }[]
  readonly graphqlFields: ExtensionPoint['graphqlFields']
}

const MAX_MS = 10_000

type Action = (context: RestContext) => unknown

const coreActions = new WeakSet<object>()

/** Whether it is an action of the plugin itself. */
export function isCoreAction(action: object): boolean {
  return coreActions.has(action)
}

/** `actions`: permissions of the plugin. Throws what the function of the file throws. */
export async function runExtension(
  plugin: string,
  extend: (given: unknown) => unknown,
  { text, path, routes, graphqlFields }: ExtensionPoint,
  actions: readonly string[],
): Promise<PluginExtension> {
  const known = routes.map((route) => ({ route, written: writeRoute(route) }))
  const list = known.map(({ written }) => written)
  const given = guardMembers(plugin, {
    controllers: buildControllers(actions),
    routes: { 'content-api': { type: 'content-api', routes: list } },
  })
  const returned = await withTimeout(async () => extend(given), MAX_MS, 'its function')
  const extended = isRecord(returned) ? returned : given
  const other = Object.keys(extended).find((name) => !(name in given))
  if (other !== undefined) refuseMember(plugin, other)
  const after = listRoutes(extended['routes'])
  const kept = new Set<WrittenRoute>()
  const removed: StrapiRoute[] = []
  const changed: { readonly route: StrapiRoute; readonly config: unknown }[] = []
  for (const { route } of known) {
    const { handler } = route
    const same = after.find((one) => isSameRequest(one, route) && one['handler'] === handler)
    if (same === undefined) {
      if (!after.some((one) => isSameRequest(one, route))) removed.push(route)
      continue
    }
    kept.add(same)
    const { prefix: _, ...config } = buildRecord(same['config'])
    if (Object.keys(config).length > 0) changed.push({ route, config })
  }
  return {
    ...{ plugin, path, text, removed, changed, graphqlFields },
    controllers: buildRecord(extended['controllers']),
    routes: after.filter((route) => !kept.has(route)),
  }
}

/** Permissions of the routes that the file adds. */
export function listAddedActions({ plugin, routes }: PluginExtension): readonly string[] {
  return routes.flatMap(({ handler }) => (typeof handler === 'string' ? [getAction(plugin, handler)] : []))
}

/** Beside the contribution of the plugin itself. */
export function declareActions(plugin: string, actions: readonly string[]): Config['ownPlugins'] {
  return { [`${plugin} as changed`]: { contentTypes: {}, actions } }
}

export function getAction(plugin: string, handler: string): string {
  return `plugin::${plugin}.${handler}`
}

/** Below the prefix of the API. */
export function getPath(plugin: string, route: WrittenRoute): string {
  const { prefix = `/${plugin}` } = buildRecord(route['config'])
  return `${String(prefix)}${String(route['path'])}`.replace(/\/+$/, '')
}

function writeRoute({ method, path, handler, isTop }: StrapiRoute): WrittenRoute {
  return { method, path, handler, config: isTop ? { prefix: '' } : {} }
}

function isSameRequest(written: WrittenRoute, { method, path }: StrapiRoute): boolean {
  return String(written['method']).toUpperCase() === method && written['path'] === path
}

function listRoutes(routes: unknown): readonly WrittenRoute[] {
  const router = buildRecord(routes)['content-api']
  const list = Array.isArray(router) ? router : buildRecord(router)['routes']
  if (!Array.isArray(list)) throw new TypeError('routes["content-api"].routes is no list')
  return list.filter(isRecord)
}

/** Each controller is its actions, and a function that returns them, because Strapi's versions differ. */
function buildControllers(actions: readonly string[]): Record<string, unknown> {
  const controllers: Record<string, Record<string, Action>> = {}
  for (const action of actions) {
    const [, controller = '', name = ''] = /\.([\w-]+)\.([\w-]+)$/.exec(action) ?? []
    const run: Action = (context) => runPluginAction(action, context)
    coreActions.add(run)
    controllers[controller] = { ...controllers[controller], [name]: run }
  }
  return Object.fromEntries(
    Object.entries(controllers).map(([name, members]) => [name, Object.assign(() => members, members)]),
  )
}

/** Throws for members that would have no effect. */
function guardMembers(plugin: string, members: Record<string, unknown>): Record<string, unknown> {
  return new Proxy(members, {
    get: (target, name, receiver) =>
      typeof name === 'symbol' || name === 'then' || name in target
        ? Reflect.get(target, name, receiver)
        : refuseMember(plugin, name),
    set: (target, name, value, receiver) =>
      name in target ? Reflect.set(target, name, value, receiver) : refuseMember(plugin, name),
  })
}

function refuseMember(plugin: string, name: PropertyKey): never {
  throw new TypeError(
    `${String(name)} of the plugin ${plugin} cannot be changed: a file changes its controllers and routes`,
  )
}
