// Copies attributes of one row over another row of its table: values, links and whole components.

import { invariant } from '../../lib/errors/invariant.ts'
import { everything } from '../../model/access.ts'
import type {
  Attribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../../model/attribute.ts'
import { hasLinks } from '../../model/attribute-targets.ts'
import type { Component, ContentType, Schema } from '../../model/content-type.ts'
import { run, type Work } from '../../storage/database.ts'
import type { Storage } from '../storage.ts'
import { deletePlaced, readPlacedComponents } from './write-components.ts'
import { writeLinks } from './write-links.ts'
import { writeMorphs } from './write-morphs.ts'

export interface LinkCopying {
  copyLinks(
    schema: Schema,
    attribute: RelationAttribute | MediaAttribute,
    target: ContentType,
    from: number,
    to: number,
  ): Work<void>
  morphTarget(type: ContentType, id: number): Work<number | undefined>
}

interface CopyContext extends LinkCopying {
  readonly storage: Storage
}

/** `linking`: the row's links unless a copy is given. */
export function* copyAttributes(
  storage: Storage,
  schema: Schema,
  attributes: Iterable<Attribute>,
  from: number,
  to: number,
  linking: LinkCopying = sameLinks(storage),
): Work<void> {
  const copying = { storage, ...linking }
  const columns: ScalarAttribute[] = []
  for (const attribute of attributes) {
    if (attribute.kind !== 'scalar') yield* copyAttribute(copying, schema, attribute, from, to)
    else if (attribute.computed === undefined) columns.push(attribute)
  }
  if (columns.length > 0) yield* run(storage.statements.copyColumns(schema, columns), [from, to])
}

function sameLinks(storage: Storage): LinkCopying {
  return createLinksTo(storage, function* (_target, ids) {
    return new Map(ids.map((id) => [id, id]))
  })
}

/** Targets without a substitute are left out. */
export function createLinksTo(
  storage: Storage,
  substitutes: (target: ContentType, ids: readonly number[]) => Work<ReadonlyMap<number, number>>,
): LinkCopying {
  const { statements } = storage
  return {
    *morphTarget(type, id) {
      return (yield* substitutes(type, [id])).get(id)
    },
    *copyLinks(_schema, attribute, target, from, to) {
      const rows = yield* run(statements.linksFrom(storage.getLinkTable(attribute)), [from])
      const otherIds = rows.map(([otherId]) => Number(otherId))
      const found = yield* substitutes(target, otherIds)
      const ids = otherIds.flatMap((otherId) => found.get(otherId) ?? [])
      yield* writeLinks(storage, to, {
        attribute,
        change: { kind: 'set', ids },
        path: [],
        access: everything,
      })
    },
  }
}

function* copyAttribute(
  copying: CopyContext,
  schema: Schema,
  attribute: Exclude<Attribute, ScalarAttribute>,
  from: number,
  to: number,
): Work<void> {
  switch (attribute.kind) {
    case 'component':
    case 'dynamiczone':
      yield* copyComponents(copying, attribute, from, to)
      return
    case 'relation':
      if (!hasLinks(attribute)) return
      if (attribute.target === undefined) yield* copyMorphs(copying, attribute, from, to)
      else yield* copying.copyLinks(schema, attribute, attribute.target, from, to)
      return
    case 'media':
      yield* copying.copyLinks(schema, attribute, attribute.target, from, to)
  }
}

function* copyMorphs(
  { storage, morphTarget }: CopyContext,
  attribute: RelationAttribute,
  from: number,
  to: number,
): Work<void> {
  const rows = yield* run(storage.statements.morphsFrom(storage.getMorphs(attribute)), [from])
  const targets: { type: ContentType; id: number }[] = []
  for (const [uid, id] of rows) {
    const type = attribute.targets.find((candidate) => candidate.uid === uid)
    if (type === undefined) continue
    const found = yield* morphTarget(type, Number(id))
    if (found !== undefined) targets.push({ type, id: found })
  }
  yield* writeMorphs(storage, to, { attribute, change: { kind: 'set', targets }, access: everything })
}

function* copyComponents(
  copying: CopyContext,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  from: number,
  to: number,
): Work<void> {
  const { storage } = copying
  const table = storage.getPlaces(attribute)
  for (const gone of yield* readPlacedComponents(storage, attribute, to))
    yield* deletePlaced(storage, table, gone)
  const rows = yield* readPlacedComponents(storage, attribute, from)
  for (const [index, { component, id }] of rows.entries()) {
    const copy = yield* copyComponent(copying, component, id)
    yield* run(storage.statements.insertPlace(table), [to, copy, component.uid, attribute.name, index + 1])
  }
}

function* copyComponent(copying: CopyContext, component: Component, id: number): Work<number> {
  const { statements } = copying.storage
  const attributes = [...component.attributes.values()]
  const columns = attributes.filter(
    (one): one is ScalarAttribute => one.kind === 'scalar' && one.computed === undefined,
  )
  const rows =
    columns.length === 0
      ? yield* run(statements.insertRow(component, []), [])
      : yield* run(statements.copyRow(component, columns), [id])
  invariant(rows[0] !== undefined, 'a copied row has an id')
  const copy = Number(rows[0][0])
  for (const attribute of attributes)
    if (attribute.kind !== 'scalar') yield* copyAttribute(copying, component, attribute, id, copy)
  return copy
}
