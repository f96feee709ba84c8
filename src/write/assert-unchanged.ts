// Checks within a write's transaction that a stored value is unchanged.

import type { ContentType } from '../model/content-type.ts'
import type { Work } from '../storage/database.ts'
import type { WriteOptions } from './content.ts'
import { findSecrets } from './find-secrets.ts'
import type { Storage } from './storage.ts'
import { createNotFound, lockEntry } from './writes/write-entries.ts'

/** Locks the entry against other writes. Throws NotFoundError if the value has changed. */
export function* assertUnchanged(
  storage: Storage,
  type: ContentType,
  id: number,
  { name, value }: NonNullable<WriteOptions['onlyWhile']>,
): Work<void> {
  yield* lockEntry(storage, type, id)
  const stored = yield* findSecrets(storage, type, { name: 'id', value: id }, [name])
  // Big integers arrive as text.
  if (stored === undefined || String(stored.values.get(name)) !== String(value)) throw createNotFound()
}
