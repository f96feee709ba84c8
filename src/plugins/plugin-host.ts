// Enables a configuration's plugins, collects their additions to the model, and activates them for an app.

import type { Guard } from '../access/guard.ts'
import type { Config } from '../config/config.ts'
import type { PluginRule } from '../config/plugin-rule.ts'
import type { PluginShorthands } from '../config/shorthand/shorthand.ts'
import type { Route } from '../http/route.ts'
import type { Report } from '../lib/errors/diagnostic.ts'
import { invariant } from '../lib/errors/invariant.ts'
import type { PluginAdditions } from '../model/build-model.ts'
import type { CheckContext } from '../model/checking.ts'
import type { ModelContribution } from '../model/contribution.ts'
import { builtInPlugins } from './built-in-plugins.ts'
import type { Activation, EnabledPlugin, PluginCommand, PluginContext } from './plugin.ts'
import { isPluginOperation, type PluginOperation } from './plugin-operation.ts'
import type { Services, ServiceValue } from './services.ts'

/** In activation order, external plugins last. */
export function enablePlugins(config: Config, report: Report = () => {}): readonly EnabledPlugin[] {
  const builtIn = builtInPlugins
    .filter(({ name }) => isPluginEnabled(config, name))
    .map((plugin) => {
      const setting = Object.hasOwn(config.plugins, plugin.name) ? config.plugins[plugin.name] : undefined
      return plugin.enable({ config: setting?.config ?? {}, whole: config, report })
    })
  // Their code is users' code, which a higher layer runs.
  const own = Object.entries(config.ownPlugins).map(([plugin, declaration]) => ({
    contribution: { plugin, paths: [plugin], ...declaration },
  }))
  return [...builtIn, ...own]
}

export function isPluginEnabled({ plugins }: Pick<Config, 'plugins'>, name: string): boolean {
  if (Object.hasOwn(plugins, name)) return plugins[name]?.enabled === true
  return builtInPlugins.some((plugin) => plugin.name === name && plugin.onByDefault === true)
}

/** Absolute paths. */
export function uploadFolders(plugins: readonly EnabledPlugin[]): readonly string[] {
  return plugins.flatMap((plugin) => plugin.uploadFolders ?? [])
}

/** Returns the configuration with plugins that store nothing outside the process. */
export function withPluginsInMemory(config: Config): Config {
  const plugins = { ...config.plugins }
  for (const { name, inMemory } of builtInPlugins) {
    const settings = plugins[name]
    if (inMemory === undefined || settings === undefined) continue
    plugins[name] = { ...settings, config: inMemory(settings.config) }
  }
  return { ...config, plugins }
}

export const pluginRules: readonly PluginRule[] = builtInPlugins.flatMap(
  (plugin) => plugin.checkSettings ?? [],
)

export const pluginShorthands: readonly PluginShorthands[] = builtInPlugins.flatMap(
  (plugin) => plugin.shorthands ?? [],
)

const pluginChecks = builtInPlugins.map(
  (plugin) => (checking: CheckContext) => plugin.checkModel?.(checking, builtInPlugins),
)

export const pluginCommands: ReadonlyMap<string, PluginCommand> = new Map(
  builtInPlugins.flatMap((plugin) => Object.entries(plugin.commands ?? {})),
)

export const accountActions = builtInPlugins.flatMap((plugin) => plugin.accountActions ?? [])

export function getModelParts(plugins: readonly EnabledPlugin[]): PluginAdditions {
  return { contributions: listContributions(plugins), checks: pluginChecks }
}

export function listContributions(plugins: readonly EnabledPlugin[]): readonly ModelContribution[] {
  return plugins.map(({ contribution }) => contribution)
}

/** As seen by a plugin that is activated after all others. */
interface ActivePlugins extends Pick<PluginContext, 'get' | 'getAll'> {
  readonly activations: readonly (Activation & { readonly routes: readonly Route[] })[]
}

interface HostContext extends Omit<PluginContext, 'get' | 'need' | 'getAll'> {
  /** Knows the options and handlers that code gives to actions. */
  readonly routeGuard: Guard
}

function toRoute(
  plugin: string,
  served: PluginOperation | Route,
  { routeGuard: guard, prefix, actions }: HostContext,
): Route {
  if (!isPluginOperation(served)) return { face: plugin, ...served }
  const { method, path, action, handle, undocumented = false } = served
  const permission = `plugin::${plugin}.${action}`
  invariant(actions.has(permission), `the plugin contributes the action ${permission}`)
  return {
    face: plugin,
    method,
    path: prefix + path,
    undocumented,
    handler: guard.protect(permission, handle),
  }
}

/** Each plugin receives services of the server and of earlier plugins. */
export function activatePlugins(
  plugins: readonly EnabledPlugin[],
  provided: readonly ServiceValue[],
  { routeGuard, ...context }: HostContext,
): ActivePlugins {
  const services: Services = {}
  const getAll: ActivePlugins['getAll'] = (service) => service.allIn(services)
  const get: ActivePlugins['get'] = (service) => getAll(service).at(-1)
  const given: PluginContext = {
    ...context,
    get,
    need(service) {
      const value = get(service)
      invariant(value !== undefined, 'the runtime provides its services')
      return value
    },
    getAll,
  }
  for (const provide of provided) provide(services)
  const activations: ActivePlugins['activations'][number][] = []
  for (const plugin of plugins) {
    const activation = plugin.activate?.(given)
    if (activation === undefined) continue
    for (const provide of activation.provides ?? []) provide(services)
    const { routes = [] } = activation
    const name = plugin.contribution.plugin
    activations.push({
      ...activation,
      routes: routes.map((served) => toRoute(name, served, { ...context, routeGuard })),
    })
  }
  return { activations, get, getAll }
}
