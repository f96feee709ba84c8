// When the entry of a file is deleted, through whichever door, what is stored of it goes, too: after the transaction,
// because it cannot be undone.

import type { Lifecycle } from '../../content/lifecycle.ts'
import type { ContentType } from '../../model/content-type.ts'
import { keysOf } from './file-data.ts'
import { isKey } from './file-names.ts'

const KEYS = 'upload.keys'
const STORED = ['hash', 'ext', 'formats']

export function fileLifecycle(
  fileType: ContentType,
  removeKeys: (keys: readonly string[]) => Promise<void>,
  failed: (error: unknown) => void,
): Lifecycle {
  return {
    appliesTo: (type) => type === fileType,
    *before(event, _plan, within) {
      if (event.action !== 'delete' || event.id === undefined) return
      const [file] = yield* within.find(fileType, { filters: { id: event.id }, fields: STORED })
      if (file !== undefined) event.state[KEYS] = keysOf(file)
    },
    async committed(event) {
      const keys = event.state[KEYS]
      if (!Array.isArray(keys)) return
      try {
        await removeKeys(keys.filter(isKey))
      } catch (error) {
        // The entry is gone and stays so: what is left behind is said, not answered.
        failed(error)
      }
    },
  }
}
