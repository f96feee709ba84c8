// Finds the required relations and files that a draft lacks. What a request disconnects is known only when it is written.

import { run, type Work } from '../../databases/database.ts'
import { type ErrorItem, validationErrors } from '../../errors/api-error.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Storage } from '../storage.ts'

/** Throws ValidationError. */
export function* assertLinked(storage: Storage, type: ContentType, draft: number): Work<void> {
  const faults: ErrorItem[] = []
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'relation' && attribute.kind !== 'media') continue
    if (!attribute.required || attribute.target === undefined) continue
    const rows = yield* run(storage.statements.linkRows(storage.linksOf(attribute)), [draft])
    if (rows.length > 0) continue
    faults.push({
      path: [attribute.name],
      message: `${attribute.name} must be defined.`,
      name: 'ValidationError',
      value: null,
    })
  }
  if (faults.length > 0) throw validationErrors(faults)
}
