// Builds the tables of a model: one per content-type or component, one join table per relation (with the order of each
// side), one table of component places per holder of components.

import { tableOf } from '../attribute-types/attribute-types.ts'
import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../model/attribute.ts'
import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { snakeCase } from '../model/naming.ts'
import { ID, index, type Links, linkMorphSides, linkTable, morphTable, placesTable } from './join-tables.ts'
import type { Column, ColumnType, Index, Layout, Table } from './layout.ts'

/** The column type of every scalar attribute type. A password column holds a hash, an enumeration column the text. */
const valueColumnOf = tableOf(({ column }) => column)

export function columnTypeOf({ name, type }: ScalarAttribute): ColumnType {
  return name === 'id' ? 'id' : valueColumnOf[type]
}

export interface ModelLayout extends Layout {
  linksOf(attribute: RelationAttribute | MediaAttribute): Links
  /** The table of a morphToOne or morphToMany. */
  morphsOf(attribute: RelationAttribute): string
  /** All tables of polymorphic relations: deleting an entry also deletes the rows that point at it there. */
  readonly morphTables: readonly string[]
  /** The table that links component rows to the rows of the attribute's holder. */
  placesOf(attribute: ComponentAttribute | DynamicZoneAttribute): string
}

export function buildLayout(model: Model): ModelLayout {
  const tables = new Map<string, Table>()
  const joins: Table[] = []
  const links = new Map<RelationAttribute | MediaAttribute, Links>()
  const morphs = new Map<RelationAttribute, string>()
  const places = new Map<ComponentAttribute | DynamicZoneAttribute, string>()

  for (const component of model.components.values()) {
    tables.set(component.collectionName, holderTable(component))
  }
  for (const type of model.contentTypes.values()) {
    tables.set(type.collectionName, holderTable(type, type))
  }
  const holders: AttributeHolder[] = [...model.components.values(), ...model.contentTypes.values()]
  for (const holder of holders) {
    for (const attribute of holder.attributes.values()) {
      if (attribute.kind === 'relation' && attribute.owner && attribute.target !== undefined) {
        joins.push(linkTable(holder, attribute, attribute.target, links))
      } else if (attribute.kind === 'relation' && attribute.owner) {
        const table = morphTable(holder, attribute, model.contentTypes.values())
        morphs.set(attribute, table.name)
        joins.push(table)
      } else if (attribute.kind === 'media') {
        joins.push(linkTable(holder, attribute, attribute.target, links))
      }
    }
    const placed = placedAttributes(holder)
    if (placed.length > 0) {
      const table = placesTable(holder, model.components.values())
      for (const attribute of placed) places.set(attribute, table.name)
      joins.push(table)
    }
  }
  for (const type of model.contentTypes.values()) linkMorphSides(type, morphs, links)
  for (const table of joins) tables.set(table.name, table)

  return {
    tables,
    linksOf(attribute) {
      const found = links.get(attribute)
      if (found === undefined) throw new TypeError(`no join table for ${attribute.name}`)
      return found
    },
    morphsOf(attribute) {
      const found = morphs.get(attribute)
      if (found === undefined) throw new TypeError(`no join table for ${attribute.name}`)
      return found
    },
    morphTables: [...morphs.values()],
    placesOf(attribute) {
      const found = places.get(attribute)
      if (found === undefined) throw new TypeError(`no component table for ${attribute.name}`)
      return found
    },
  }
}

function placedAttributes(holder: AttributeHolder): readonly (ComponentAttribute | DynamicZoneAttribute)[] {
  return [...holder.attributes.values()].filter(
    (attribute) => attribute.kind === 'component' || attribute.kind === 'dynamiczone',
  )
}

function holderTable(holder: AttributeHolder, type?: ContentType): Table {
  const { uid, renamedFrom } = holder
  const columns: Column[] = [ID]
  const indexes: Index[] = []
  const name = holder.collectionName
  for (const attribute of holder.attributes.values()) {
    if (attribute.kind !== 'scalar') continue
    columns.push({
      name: attribute.column,
      type: columnTypeOf(attribute),
      nullable: true,
      origin: `${uid}.${attribute.name}`,
      ...(attribute.renamedFrom !== undefined && { formerly: snakeCase(attribute.renamedFrom) }),
    })
    // A value must be unique only within its locale.
    const within = type?.locale === undefined ? [] : [type.locale.column]
    if (attribute.unique) indexes.push(index(name, [attribute.column, ...within], true))
  }
  for (const attribute of type?.systemAttributes.values() ?? []) {
    const { column } = attribute
    columns.push({ name: column, type: columnTypeOf(attribute), nullable: true, origin: undefined })
    indexes.push(index(name, [column], false))
  }
  return {
    name,
    columns,
    indexes,
    origin: uid,
    ...(renamedFrom !== undefined && { formerly: [renamedFrom] }),
  }
}
