// Copies attributes of one row to another row of its table, within the database: values, links and whole components.
// Both rows exist; what the other row had is replaced.

import { run, type Work } from '../../databases/database.ts'
import { invariant } from '../../errors/invariant.ts'
import { everything } from '../../model/access.ts'
import type {
  Attribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  ScalarAttribute,
} from '../../model/attribute.ts'
import type { AttributeHolder, Component } from '../../model/content-type.ts'
import type { Storage } from '../storage.ts'
import { deletePlaced, placed } from './write-components.ts'
import { writeLinks } from './write-links.ts'
import { writeMorphs } from './write-morphs.ts'

export function* copyAttributes(
  storage: Storage,
  holder: AttributeHolder,
  attributes: Iterable<Attribute>,
  from: number,
  to: number,
): Work<void> {
  const columns: ScalarAttribute[] = []
  for (const attribute of attributes) {
    if (attribute.kind === 'scalar') {
      if (attribute.computed === undefined) columns.push(attribute)
    } else yield* copyMember(storage, attribute, from, to)
  }
  if (columns.length > 0) yield* run(storage.statements.copyColumns(holder, columns), [from, to])
}

function* copyMember(
  storage: Storage,
  attribute: Exclude<Attribute, ScalarAttribute>,
  from: number,
  to: number,
): Work<void> {
  const { statements } = storage
  switch (attribute.kind) {
    case 'component':
    case 'dynamiczone':
      yield* copyComponents(storage, attribute, from, to)
      return
    case 'relation':
      if (attribute.target === undefined) {
        const rows = yield* run(statements.morphsFrom(storage.morphsOf(attribute)), [from])
        const targets = rows.flatMap(([uid, id]) => {
          const type = attribute.targets.find((candidate) => candidate.uid === uid)
          return type === undefined ? [] : [{ type, id: Number(id) }]
        })
        yield* writeMorphs(storage, to, { attribute, change: { kind: 'set', targets }, access: everything })
        return
      }
      yield* copyLinks(storage, attribute, from, to)
      return
    case 'media':
      yield* copyLinks(storage, attribute, from, to)
  }
}

function* copyLinks(
  storage: Storage,
  attribute: Parameters<Storage['linksOf']>[0],
  from: number,
  to: number,
): Work<void> {
  const rows = yield* run(storage.statements.linksFrom(storage.linksOf(attribute)), [from])
  const ids = rows.map((row) => Number(row[0]))
  yield* writeLinks(storage, to, { attribute, change: { kind: 'set', ids }, path: [], access: everything })
}

function* copyComponents(
  storage: Storage,
  attribute: ComponentAttribute | DynamicZoneAttribute,
  from: number,
  to: number,
): Work<void> {
  const { statements } = storage
  const table = storage.placesOf(attribute)
  for (const gone of yield* placed(storage, attribute, to)) yield* deletePlaced(storage, table, gone)
  const rows = yield* placed(storage, attribute, from)
  for (const [index, { component, id }] of rows.entries()) {
    const copy = yield* copyComponent(storage, component, id)
    yield* run(statements.insertPlace(table), [to, copy, component.uid, attribute.name, index + 1])
  }
}

function* copyComponent(storage: Storage, component: Component, id: number): Work<number> {
  const { statements } = storage
  const attributes = [...component.attributes.values()]
  const columns = attributes.filter(
    (attribute) => attribute.kind === 'scalar' && attribute.computed === undefined,
  ) as readonly ScalarAttribute[]
  const rows =
    columns.length === 0
      ? yield* run(statements.insertRow(component, []), [])
      : yield* run(statements.copyRow(component, columns), [id])
  invariant(rows[0] !== undefined, 'a copied row has an id')
  const copy = Number(rows[0][0])
  for (const attribute of attributes) {
    if (attribute.kind !== 'scalar') yield* copyMember(storage, attribute, id, copy)
  }
  return copy
}
