// Stores `data` and users of the file in a database in memory, as a start would, so that `validate` also reports errors
// that only storing reveals. Uploaded files stay in memory, and no mail is sent.

import { hideSecrets } from '../config/hide-secrets.ts'
import { pluginsInMemory } from '../plugins/plugin-host.ts'
import { type CheckedConfig, isValid } from './check-config.ts'
import { tryInMemory } from './try-in-memory.ts'

/**
 * Returns `checked` with the diagnostics of `data` and users added; without a model when there are errors. A file with errors is
 * tried without its faulty parts.
 */
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
  const tried = await tryInMemory({ ...checked, config: pluginsInMemory(checked.config) })
  const failed = 'diagnostics' in tried
  const found = hideSecrets(failed ? tried.diagnostics : tried.warnings, checked.secrets.texts)
  const diagnostics = [...checked.diagnostics, ...found]
  return { ...checked, diagnostics, ...(failed ? { config: undefined, model: undefined } : {}) }
}
