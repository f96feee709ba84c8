// Removes the stored contents of a deleted entry, through any API: after the transaction, because removing
// cannot be undone.

import { isServer } from '../../access/principal.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Lifecycle } from '../../write/lifecycle.ts'
import { listKeys } from './file-data.ts'
import { isKey } from './file-names.ts'

const KEYS = 'upload.keys'
const STORED = ['hash', 'ext', 'formats']
/** Columns that only an upload sets. */
const STORAGE = [
  ...STORED,
  'mime',
  'size',
  'width',
  'height',
  'url',
  'previewUrl',
  'provider',
  'provider_metadata',
]

export function createFileLifecycle(
  fileType: ContentType,
  removeKeys: (keys: readonly string[]) => Promise<void>,
  failed: (error: unknown) => void,
): Lifecycle {
  return {
    appliesTo: (type) => type === fileType,
    /** A caller who could set these columns could have other files' contents removed. */
    prepare({ action, access, data }) {
      if (isServer(access) || action === 'delete') return
      const named = action === 'create' ? 'hash' : STORAGE.find((name) => Object.hasOwn(data, name))
      if (named === undefined) return
      throw new ApiError('ValidationError', `"${named}" of a file is set by its upload`)
    },
    *before(event, _plan, within) {
      if (event.action !== 'delete' || event.id === undefined) return
      const [file] = yield* within.find(fileType, { filters: { id: event.id }, fields: STORED })
      if (file !== undefined) event.state[KEYS] = listKeys(file)
    },
    async committed(event) {
      const keys = event.state[KEYS]
      if (!Array.isArray(keys)) return
      try {
        await removeKeys(keys.filter(isKey))
      } catch (error) {
        // The entry stays deleted: the failure is logged, not reported to the client.
        failed(error)
      }
    },
  }
}
