// A configuration -> where its uploaded files are kept, for an export or an import; undefined where none can be.

import type { Config } from '../../config/config.ts'
import type { StoredFiles } from './stored-files.ts'

export async function openStoredFiles(_config: Config): Promise<StoredFiles | undefined> {
  return undefined
}
