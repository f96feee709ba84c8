// A file or an object -> Config and Model, or every diagnostic of both stations. What `validate`, a start and a
// reload have in common.

import { hideSecrets } from '../config/hide-secrets.ts'
import { type ConfigSource, type LoadedConfig, type LoadOptions, loadConfig } from '../config/load-config.ts'
import { buildModel } from '../model/build-model.ts'
import type { Model } from '../model/model.ts'
import { contributionsOf } from '../plugins/built-in-plugins.ts'

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
  const outcome = buildModel(config, contributionsOf(config))
  const found = hideSecrets(outcome.ok ? outcome.warnings : outcome.diagnostics, secrets.texts)
  const diagnostics = [...loaded.diagnostics, ...found]
  return outcome.ok
    ? { ...loaded, diagnostics, model: outcome.value }
    : { ...loaded, diagnostics, config: undefined, model: undefined }
}
