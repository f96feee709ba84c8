// Opens the storage of uploaded files, for an export or import. Undefined when files are in the serving
// process's memory.

import type { Config } from '../config/config.ts'
import type { Environment } from '../config/interpolate-env.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'
import type { StoredFiles } from '../storage/archive/stored-files.ts'
import { loadUserCode } from '../user-code/load-user-code.ts'

export async function openStoredFiles(config: Config, env: Environment): Promise<StoredFiles | undefined> {
  const plugins = enablePlugins(config)
  for (const plugin of plugins) {
    const opened = await plugin.openStoredFiles?.(async (reference) => {
      const code = await loadUserCode(config, plugins, { env })
      return code.exported(reference)
    })
    if (opened !== undefined) return opened
  }
  return undefined
}
