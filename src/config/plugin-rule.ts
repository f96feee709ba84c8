// The check that a plugin adds for its settings.

import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'
import type { RawConfig, RawMap } from './raw-config.ts'

export type Fault = (
  code: string,
  path: DiagnosticPath,
  message: string,
  help: string,
  at?: 'key' | 'value',
  severity?: 'error' | 'warning',
) => void

export type PluginRule = (raw: RawConfig, fault: Fault) => void

/** Undefined when the file switches the plugin off or does not name it. */
export function getSettings({ plugins = {} }: RawConfig, name: string): RawMap | undefined {
  const plugin = Object.hasOwn(plugins, name) ? plugins[name] : undefined
  if (plugin === undefined || plugin === false) return undefined
  if (plugin === true) return {}
  return plugin.enabled === false ? undefined : (plugin.config ?? {})
}
