// Turns a violated unique index into the fault that names the attribute. It happens when another request stores the
// value between the lookup and the write, or when a sibling gets a value that is taken in its locale.

import type { UniqueViolation } from '../databases/database.ts'
import { validationErrors } from '../errors/api-error.ts'
import type { AttributeHolder } from '../model/content-type.ts'
import { isContentType } from '../plan/find-attribute.ts'
import { notUnique } from './check-together.ts'

export function takenError(type: AttributeHolder, { columns }: UniqueViolation): Error {
  const sets = isContentType(type) ? type.uniqueSets : []
  const set = sets.find((one) =>
    one.every((attribute) => attribute.kind === 'scalar' && columns.includes(attribute.column)),
  )
  if (set !== undefined && columns.length > 1) return notUnique(set)
  const [column] = columns
  for (const attribute of type.attributes.values()) {
    if (attribute.kind === 'scalar' && attribute.column === column) {
      return validationErrors([
        { path: [attribute.name], message: 'This attribute must be unique', name: 'ValidationError' },
      ])
    }
  }
  return validationErrors([{ path: [], message: 'This attribute must be unique', name: 'ValidationError' }])
}
