// Finds unique values in a draft's components that another published document, or the draft itself, has at
// the same path.

import type { ErrorItem } from '../../lib/errors/api-error.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import { listComponents } from '../../model/attribute-targets.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { NO_ENTRY } from '../../plan/parse-id.ts'
import { run, type Work } from '../../storage/database.ts'
import type { ComponentStep } from '../../storage/sql/compile-document-write.ts'
import type { Storage } from '../storage.ts'
import { createUniqueFault } from '../writes/check-together.ts'
import { readPlacedComponents } from '../writes/write-components.ts'

/** Whether the schema's components have unique attributes. */
export function hasUniqueComponents(schema: Schema): boolean {
  let found = known.get(schema)
  if (found === undefined) {
    const components = [...schema.attributes.values()].flatMap(listComponents)
    found = components.some((one) => listUniques(one).length > 0 || hasUniqueComponents(one))
    known.set(schema, found)
  }
  return found
}

const known = new WeakMap<Schema, boolean>()

function listUniques({ attributes }: Schema): readonly ScalarAttribute[] {
  return [...attributes.values()].filter(
    (one): one is ScalarAttribute => one.kind === 'scalar' && one.unique && one.computed === undefined,
  )
}

interface CheckContext {
  readonly storage: Storage
  readonly type: ContentType
  readonly draft: number
  readonly published: number
  /** The fault of the first occurrence, by path, attribute and value; undefined once reported. */
  readonly seen: Map<string, ErrorItem | undefined>
  readonly faults: ErrorItem[]
}

/** `published`: the document's own row, which may have the same values. */
export function* findTakenInComponents(
  storage: Storage,
  type: ContentType,
  draft: number,
  published: number | undefined,
): Work<readonly ErrorItem[]> {
  const faults: ErrorItem[] = []
  if (!hasUniqueComponents(type)) return faults
  const own = published ?? NO_ENTRY
  const checking = { storage, type, draft, published: own, seen: new Map(), faults }
  yield* checkSchema(checking, type, draft, [], [], false)
  return faults
}

function* checkSchema(
  checking: CheckContext,
  schema: Schema,
  id: number,
  places: readonly ComponentStep[],
  path: readonly string[],
  isHidden: boolean,
): Work<void> {
  const { storage } = checking
  if (places.length > 0)
    for (const attribute of listUniques(schema))
      yield* checkValue(checking, schema, attribute, id, places, path, isHidden)
  if (!hasUniqueComponents(schema)) return
  for (const attribute of schema.attributes.values()) {
    if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') continue
    const table = storage.getPlaces(attribute)
    const single = attribute.kind === 'component' && !attribute.repeatable
    for (const [index, row] of (yield* readPlacedComponents(storage, attribute, id)).entries()) {
      const place = { table, field: attribute.name, component: row.component }
      const within = [...path, attribute.name, ...(single ? [] : [String(index)])]
      const hidden = isHidden || attribute.private
      yield* checkSchema(checking, row.component, row.id, [...places, place], within, hidden)
    }
  }
}

function* checkValue(
  { storage: { statements }, type, draft, published, seen, faults }: CheckContext,
  schema: Schema,
  attribute: ScalarAttribute,
  id: number,
  places: readonly ComponentStep[],
  path: readonly string[],
  isHidden: boolean,
): Work<void> {
  const [row] = yield* run(statements.getValues(schema, attribute), [statements.encodeIds([id])])
  const stored = row?.[1]
  // Empty text is exempt from uniqueness.
  if (stored === undefined || stored === null || stored === '') return
  const value = isHidden || attribute.private ? undefined : stored
  const found = createUniqueFault([...path, attribute.name], value)
  const where = places.map(({ field, component }) => [field, component.uid])
  const key = JSON.stringify([where, attribute.name, String(stored)])
  const first = seen.get(key)
  // Two equal values in one draft are both faults.
  if (first !== undefined) faults.push(first)
  const lookup = statements.publishedWithComponent(type, places, attribute.column)
  const isFault = seen.has(key) || (yield* run(lookup, [id, published, draft])).length > 0
  if (isFault) faults.push(found)
  seen.set(key, isFault ? undefined : found)
}
