// Writes an attribute's components: merges those with an id, creates those without one, and deletes all
// others.

import { ApiError } from '../../lib/errors/api-error.ts'
import { invariant } from '../../lib/errors/invariant.ts'
import type { ComponentAttribute, DynamicZoneAttribute } from '../../model/attribute.ts'
import { listComponents } from '../../model/attribute-targets.ts'
import type { Component, Schema } from '../../model/content-type.ts'
import type { ComponentRow, ComponentWrite, WritePlan } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import type { Storage } from '../storage.ts'

export interface RowWriter {
  insert(storage: Storage, plan: WritePlan): Work<number>
  update(storage: Storage, plan: WritePlan, id: number): Work<boolean>
}

export interface PlacedComponent {
  readonly component: Component
  readonly id: number
}

export function* writeComponents(
  storage: Storage,
  entity: number,
  write: ComponentWrite,
  writer: RowWriter,
): Work<void> {
  const { attribute, rows } = write
  const { statements } = storage
  const table = storage.getPlaces(attribute)
  const before = yield* readPlacedComponents(storage, attribute, entity)
  const kept = new Set(
    rows.flatMap((row) => (row.id === undefined ? [] : [findOwn(before, row, attribute.name)])),
  )
  // Deleted first, so that a new component may reuse unique values.
  for (const gone of before) if (!kept.has(gone)) yield* deletePlaced(storage, table, gone)
  for (const [place, row] of rows.entries()) {
    if (row.id === undefined) {
      const id = yield* writer.insert(storage, row.plan)
      yield* run(statements.insertPlace(table), [entity, id, row.component.uid, attribute.name, place + 1])
    } else {
      yield* writer.update(storage, row.plan, row.id)
      yield* run(statements.movePlace(table), [place + 1, row.component.uid, row.id])
    }
  }
}

export function* deleteComponents(storage: Storage, schema: Schema, entity: number): Work<void> {
  for (const attribute of schema.attributes.values()) {
    if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') continue
    const table = storage.getPlaces(attribute)
    for (const gone of yield* readPlacedComponents(storage, attribute, entity))
      yield* deletePlaced(storage, table, gone)
  }
}

/** Includes nested components. */
export function* deletePlaced(
  storage: Storage,
  table: string,
  { component, id }: PlacedComponent,
): Work<void> {
  yield* deleteComponents(storage, component, id)
  yield* run(storage.statements.deletePlace(table), [component.uid, id])
  yield* run(storage.statements.deleteRow(component), [id])
}

export function* readPlacedComponents(
  storage: Storage,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  entity: number,
): Work<readonly PlacedComponent[]> {
  const rows = yield* run(storage.statements.getPlaces(storage.getPlaces(attribute)), [
    entity,
    attribute.name,
  ])
  const components = listComponents(attribute)
  return rows.flatMap((row) => {
    const component = components.find((candidate) => candidate.uid === row[0])
    // A component that the zone no longer lists keeps its row until the zone lists it again.
    return component === undefined ? [] : [{ component, id: Number(row[1]) }]
  })
}

function findOwn(before: readonly PlacedComponent[], row: ComponentRow, name: string): PlacedComponent {
  invariant(row.id !== undefined, 'a component without id is new')
  const own = before.find(({ component, id }) => component === row.component && id === row.id)
  if (own === undefined) {
    throw new ApiError(
      'ApplicationError',
      `Some of the provided components in ${name} are not related to the entity`,
    )
  }
  return own
}
