// A configuration -> its enabled plugins, with what they add to the model; a generation's context -> what they do.

import type { Config } from '../config/config.ts'
import type { PluginRule } from '../config/plugin-rule.ts'
import type { Report } from '../errors/diagnostic.ts'
import type { PluginParts } from '../model/build-model.ts'
import type { Checking } from '../model/checking.ts'
import type { ModelContribution } from '../model/contribution.ts'
import { builtInPlugins } from './built-in-plugins.ts'
import type { OfferGraphql } from './graphql-extension.ts'
import type { Mailer } from './mailer.ts'
import type { Activation, EnabledPlugin, PluginContext, PluginLog } from './plugin.ts'

/** The enabled plugins in the order of their activation; faults of their settings go to `report`. */
export function enablePlugins(config: Config, report: Report = () => {}): readonly EnabledPlugin[] {
  return builtInPlugins
    .filter(({ name }) => isPluginEnabled(config, name))
    .map((plugin) => {
      const setting = Object.hasOwn(config.plugins, plugin.name) ? config.plugins[plugin.name] : undefined
      return plugin.enable({ config: setting?.config ?? {}, whole: config, report })
    })
}

/** Whether the plugin takes part in this configuration. */
export function isPluginEnabled({ plugins }: Pick<Config, 'plugins'>, name: string): boolean {
  if (Object.hasOwn(plugins, name)) return plugins[name]?.enabled === true
  return builtInPlugins.some((plugin) => plugin.name === name && plugin.onByDefault === true)
}

/** What they add to the checks of the file. */
export const pluginRules: readonly PluginRule[] = builtInPlugins.flatMap(({ rule }) => rule ?? [])

const pluginChecks = builtInPlugins.map(
  (plugin) => (checking: Checking) => plugin.check?.(checking, builtInPlugins),
)

/** What a model is built with. */
export function modelPartsOf(plugins: readonly EnabledPlugin[]): PluginParts {
  return { contributions: contributionsOf(plugins), checks: pluginChecks }
}

export function contributionsOf(plugins: readonly EnabledPlugin[]): readonly ModelContribution[] {
  return plugins.map(({ contribution }) => contribution)
}

/** Where there is no email plugin, mail goes nowhere and says so. */
function noMailer(log: PluginLog): Mailer {
  return {
    async send() {
      log.warn('a mail was not sent: the email plugin is switched off')
    },
  }
}

/** Activates one after the other: each is given what those before it offered. */
export function activatePlugins(
  plugins: readonly EnabledPlugin[],
  context: Omit<PluginContext, 'mailer' | 'graphqlOffers' | 'files'>,
): readonly Activation[] {
  const activations: Activation[] = []
  const graphqlOffers: OfferGraphql[] = []
  let mailer = noMailer(context.log)
  let files: PluginContext['files']
  for (const plugin of plugins) {
    const activation = plugin.activate?.({ ...context, mailer, files, graphqlOffers })
    if (activation === undefined) continue
    mailer = activation.mailer ?? mailer
    files = activation.files ?? files
    if (activation.graphql !== undefined) graphqlOffers.push(activation.graphql)
    activations.push(activation)
  }
  return activations
}
