// A file or an object -> Config and Model, or every diagnostic of both stations. What `validate`, a start and a
// reload have in common.

import { hideSecrets } from '../config/hide-secrets.ts'
import { type ConfigSource, type LoadedConfig, type LoadOptions, loadConfig } from '../config/load-config.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { buildModel } from '../model/build-model.ts'
import type { Model } from '../model/model.ts'
import { contributionsOf, enablePlugins } from '../plugins/plugin-host.ts'

export type { ConfigSource } from '../config/load-config.ts'

export type CheckOptions = LoadOptions

/** `config` and `model` are both there when there are no errors, and both undefined when there are. */
export interface Checked extends LoadedConfig {
  readonly model: Model | undefined
}

/** The model is only built from a configuration that has no errors of its own. */
export async function checkConfig(source: ConfigSource, options: CheckOptions): Promise<Checked> {
  const loaded = await loadConfig(source, options)
  const { config, secrets } = loaded
  if (config === undefined) return { ...loaded, model: undefined }
  const settings: Diagnostic[] = []
  const plugins = enablePlugins(config, (fault) => settings.push(fault))
  const outcome = buildModel(config, contributionsOf(plugins))
  const found = [...settings, ...(outcome.ok ? outcome.warnings : outcome.diagnostics)]
  const diagnostics = [...loaded.diagnostics, ...hideSecrets(found, secrets.texts)]
  return outcome.ok && settings.every(({ severity }) => severity !== 'error')
    ? { ...loaded, diagnostics, model: outcome.value }
    : { ...loaded, diagnostics, config: undefined, model: undefined }
}
