// Stores `data` in a memory database as a start would, so that `validate` reports errors that only storing
// reveals.

import { hideSecrets } from '../config/hide-secrets.ts'
import { withPluginsInMemory } from '../plugins/plugin-host.ts'
import { type CheckedConfig, isValid } from './check-config.ts'
import { tryInMemory } from './try-in-memory.ts'

/** The result has no model when there are errors. */
export async function checkSeed(checked: CheckedConfig): Promise<CheckedConfig> {
  const { remainder: valid } = checked
  if (valid !== undefined) {
    const { remainder, ...left } = valid
    const { diagnostics } = await checkSeed({ ...checked, ...left, diagnostics: [], remainder: undefined })
    const found = diagnostics
      .filter((fault) => !remainder.touches(fault))
      .map((fault) => ({ ...fault, path: remainder.inFile(fault.path) }))
    return { ...checked, diagnostics: [...checked.diagnostics, ...found] }
  }
  if (!isValid(checked)) return checked
  const tried = await tryInMemory({ ...checked, config: withPluginsInMemory(checked.config) })
  const failed = 'diagnostics' in tried
  const found = hideSecrets(failed ? tried.diagnostics : tried.warnings, checked.secrets.texts)
  const diagnostics = [...checked.diagnostics, ...found]
  return { ...checked, diagnostics, ...(failed ? { config: undefined, model: undefined } : {}) }
}
