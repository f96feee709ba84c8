// The operations of a model: the whole API of its content-types as a table.

import { invariant } from '../lib/errors/invariant.ts'
import { listOperationShapes } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { Content } from '../write/content.ts'
import { implementDocumentOperations } from './document-operations.ts'
import { implementEntryOperations } from './entry-operations.ts'
import { type Implementations, implementSummary } from './implementations.ts'
import { implementManyOperations } from './many-operations.ts'
import type { Operation } from './operation.ts'

export interface OperationTable {
  of(type: ContentType): readonly Operation[]
}

interface TableOptions {
  readonly content: Content
  /** How many entries one operation may write. */
  readonly writeRows: number
  /** The actions that the permissions of some role or custom API token name. */
  readonly granted: ReadonlySet<string>
}

export function createOperationTable(model: Model, options: TableOptions): OperationTable {
  const operations = new Map(
    [...model.contentTypes.values()].map((type) => [type, listOperations(type, options)]),
  )
  return {
    of(type) {
      const found = operations.get(type)
      invariant(found !== undefined, `${type.uid} is of this model`)
      return found
    },
  }
}

function listOperations(
  type: ContentType,
  { content, writeRows, granted }: TableOptions,
): readonly Operation[] {
  const ofOne =
    type.document === undefined
      ? implementEntryOperations(type, content)
      : implementDocumentOperations(type, content)
  const ofMany =
    type.kind === 'collectionType' ? implementManyOperations(type, content, writeRows, ofOne.write) : {}
  const implemented: Implementations = { read: ofOne.read, write: { ...ofOne.write, ...ofMany } }
  return listOperationShapes(type).map((shape): Operation => {
    const { action, effect, permitted } = shape
    const permission = `${type.uid}.${permitted}`
    const common = { ...shape, type, permission, isGranted: granted.has(permission) }
    if (effect === 'summarize') return { ...common, effect, prepare: implementSummary(type, content) }
    const prepare = implemented.read[action]
    if (prepare !== undefined) return { ...common, effect: 'read', prepare }
    const write = implemented.write[action]
    invariant(write !== undefined, `${permission} is implemented`)
    return { ...common, effect: 'write', ...write }
  })
}
