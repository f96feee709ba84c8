// A configuration -> where its uploaded files are kept, for an export or an import; undefined where no plugin keeps files,
// or keeps them in the memory of the process that serves them.

import type { StoredFiles } from '../archive/stored-files.ts'
import type { Config } from '../config/config.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'
import { loadUserCode } from '../user-code/load-user-code.ts'

export async function openStoredFiles(config: Config): Promise<StoredFiles | undefined> {
  for (const plugin of enablePlugins(config)) {
    const opened = await plugin.openStoredFiles?.(async (reference) => {
      const code = await loadUserCode(config)
      return code.exported(reference)
    })
    if (opened !== undefined) return opened
  }
  return undefined
}
