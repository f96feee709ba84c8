// `data` and users of the file, stored as a start would store them, in a database in memory that is closed at once: what
// only storing shows is told by `validate`, too. Files go to memory, mails nowhere.

import type { Config } from '../config/config.ts'
import { hideSecrets } from '../config/hide-secrets.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { createLog } from '../log/create-log.ts'
import type { Checked } from './check-config.ts'
import { openService } from './open-service.ts'

/** The same with the faults of its `data` and users; without a model when there are errors. */
export async function checkSeed(checked: Checked): Promise<Checked> {
  const { config, model, own } = checked
  if (config === undefined || model === undefined) return checked
  const log = createLog({ level: 'silent', format: 'json', colors: false, write: () => {} })
  const opened = await openService({ config: inMemory(config), model, own }, log, { describes: true })
  if ('service' in opened) await opened.service.close()
  const found = 'diagnostics' in opened ? opened.diagnostics : opened.warnings
  const diagnostics: readonly Diagnostic[] = [
    ...checked.diagnostics,
    ...hideSecrets(found, checked.secrets.texts),
  ]
  return 'diagnostics' in opened
    ? { ...checked, diagnostics, config: undefined, model: undefined }
    : { ...checked, diagnostics }
}

/** Nothing of what the file names outside is touched. */
function inMemory(config: Config): Config {
  const { upload } = config.plugins
  const database = { ...config.database, client: 'memory' } as const
  if (upload === undefined) return { ...config, database }
  const kept = { ...upload, config: { ...upload.config, provider: 'memory', providerOptions: {} } }
  return { ...config, database, plugins: { ...config.plugins, upload: kept } }
}
