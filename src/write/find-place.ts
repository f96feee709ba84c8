// Finds a component's entry, and the payload path to the component.

import { listComponents } from '../model/attribute-targets.ts'
import type { Component, Schema } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { isContentType } from '../plan/find-attribute.ts'
import { run, type Work } from '../storage/database.ts'
import type { ComponentPlace } from './content.ts'
import type { Storage } from './storage.ts'
import { type PlacedComponent, readPlacedComponents } from './writes/write-components.ts'

type Data = Readonly<Record<string, unknown>>

export function* findPlace(
  storage: Storage,
  model: Model,
  component: Component,
  id: number,
): Work<ComponentPlace | undefined> {
  const around = yield* findAround(storage, model, { component, id })
  if (around === undefined) return undefined
  const { schema, entity, dataWith } = around
  if (isContentType(schema)) return { type: schema, id: entity, dataWith }
  const outer = yield* findPlace(storage, model, schema as Component, entity)
  if (outer === undefined) return undefined
  return {
    ...outer,
    dataWith(change) {
      const data = dataWith(change)
      return data === undefined ? undefined : outer.dataWith(data)
    },
  }
}

interface Around extends Pick<ComponentPlace, 'dataWith'> {
  readonly schema: Schema
  readonly entity: number
}

function* findAround(storage: Storage, model: Model, own: PlacedComponent): Work<Around | undefined> {
  for (const schema of [...model.contentTypes.values(), ...model.components.values()]) {
    for (const attribute of schema.attributes.values()) {
      if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') continue
      if (!listComponents(attribute).includes(own.component)) continue
      const statement = storage.statements.getSchemaId(storage.getPlaces(attribute))
      const [row] = yield* run(statement, [own.component.uid, own.id, attribute.name])
      if (row === undefined) continue
      const entity = Number(row[0])
      const components = yield* readPlacedComponents(storage, attribute, entity)
      const isZone = attribute.kind === 'dynamiczone'
      const named = ({ component, id }: PlacedComponent): Data =>
        isZone ? { __component: component.uid, id } : { id }
      return {
        schema,
        entity,
        dataWith(change) {
          if (attribute.private || !attribute.writable) return undefined
          const elements = components.map((each) =>
            each.component === own.component && each.id === own.id
              ? { ...named(each), ...change }
              : named(each),
          )
          const many = isZone || attribute.repeatable
          return { [attribute.name]: many ? elements : elements[0] }
        },
      }
    }
  }
  return undefined
}
