// `data` and users of the file, stored as a start would store them, in a database in memory: what only storing shows is told
// by `validate`, too. Files go to memory, mails nowhere.

import { hideSecrets } from '../config/hide-secrets.ts'
import { pluginsInMemory } from '../plugins/plugin-host.ts'
import { type Checked, isValid } from './check-config.ts'
import { tryInMemory } from './try-in-memory.ts'

/** The same with the faults of its `data` and users; without a model when there are errors. */
export async function checkSeed(checked: Checked): Promise<Checked> {
  if (!isValid(checked)) return checked
  const tried = await tryInMemory({ ...checked, config: pluginsInMemory(checked.config) })
  const failed = 'diagnostics' in tried
  const found = hideSecrets(failed ? tried.diagnostics : tried.warnings, checked.secrets.texts)
  const diagnostics = [...checked.diagnostics, ...found]
  return { ...checked, diagnostics, ...(failed ? { config: undefined, model: undefined } : {}) }
}
