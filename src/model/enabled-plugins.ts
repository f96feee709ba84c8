// Which built-in plugins a configuration switches on. Three are on unless the file says `false`, as in a Strapi project
// that was never touched: users-permissions (roles need it), upload (media need it) and content-type-builder.

import type { Config } from '../config/config.ts'

const onByDefault: ReadonlySet<string> = new Set(['upload', 'users-permissions', 'content-type-builder'])

/** Whether the plugin takes part in this configuration. */
export function isPluginEnabled(config: Pick<Config, 'plugins'>, name: string): boolean {
  const plugin = Object.hasOwn(config.plugins, name) ? config.plugins[name] : undefined
  return plugin === undefined ? onByDefault.has(name) : plugin.enabled
}
