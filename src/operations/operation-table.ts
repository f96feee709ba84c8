// The operations of a model: the whole API of its content-types as a table.

import { invariant } from '../lib/errors/invariant.ts'
import { listOperationShapes } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { Content } from '../write/content.ts'
import { implementDocumentOperations } from './document-operations.ts'
import { implementEntryOperations } from './entry-operations.ts'
import type { Operation } from './operation.ts'

export interface OperationTable {
  of(type: ContentType): readonly Operation[]
}

export function createOperationTable(model: Model, content: Content): OperationTable {
  const operations = new Map(
    [...model.contentTypes.values()].map((type) => [type, listOperations(type, content)]),
  )
  return {
    of(type) {
      const found = operations.get(type)
      invariant(found !== undefined, `${type.uid} is of this model`)
      return found
    },
  }
}

function listOperations(type: ContentType, content: Content): readonly Operation[] {
  const implemented =
    type.document === undefined
      ? implementEntryOperations(type, content)
      : implementDocumentOperations(type, content)
  return listOperationShapes(type).map((shape): Operation => {
    const { action } = shape
    const common = { ...shape, type, permission: `${type.uid}.${action}` }
    const prepare = implemented.read[action]
    if (prepare !== undefined) return { ...common, effect: 'read', prepare }
    const write = implemented.write[action]
    invariant(write !== undefined, `${common.permission} is implemented`)
    return { ...common, effect: 'write', ...write }
  })
}
