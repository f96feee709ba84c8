// Model -> tables. One table a content-type or component, one join table a relation (with the order of each side),
// one table of component places a holder of components.

import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarType,
} from '../model/attribute.ts'
import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { linkTableName, placesTableName } from '../model/table-names.ts'
import { shortName } from '../util/short-name.ts'
import type { Column, ColumnType, Index, Layout, Table } from './layout.ts'

/** The column type of every scalar attribute type. A password column holds a hash, an enumeration its text. */
export const columnTypeOf = {
  string: 'text',
  text: 'text',
  richtext: 'text',
  blocks: 'json',
  email: 'text',
  password: 'text',
  uid: 'text',
  integer: 'integer',
  biginteger: 'biginteger',
  float: 'float',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'datetime',
  json: 'json',
  enumeration: 'text',
} as const satisfies Record<ScalarType, ColumnType>

/** A join table seen from one side: `near` holds this side's id, `far` the other side's. */
export interface Links {
  readonly table: string
  readonly near: 'source_id' | 'target_id'
  readonly far: 'source_id' | 'target_id'
  /** Orders the far entries of one near entry; undefined where there is at most one. */
  readonly order: 'source_order' | 'target_order' | undefined
  /** Orders the near entries of one far entry, where the other side shows many. */
  readonly farOrder: 'source_order' | 'target_order' | undefined
}

export interface ModelLayout extends Layout {
  linksOf(attribute: RelationAttribute | MediaAttribute): Links
  /** The table that says which component rows belong to which row of the attribute's holder. */
  placesOf(attribute: ComponentAttribute | DynamicZoneAttribute): string
}

const ID: Column = { name: 'id', type: 'id', nullable: false, origin: undefined }

export function buildLayout(model: Model): ModelLayout {
  const tables = new Map<string, Table>()
  const joins: Table[] = []
  const links = new Map<RelationAttribute | MediaAttribute, Links>()
  const places = new Map<ComponentAttribute | DynamicZoneAttribute, string>()

  for (const component of model.components.values()) {
    tables.set(component.collectionName, holderTable(component, component.uid))
  }
  for (const type of model.contentTypes.values()) {
    tables.set(type.collectionName, holderTable(type, type.uid, type))
  }
  const holders: AttributeHolder[] = [...model.components.values(), ...model.contentTypes.values()]
  for (const holder of holders) {
    for (const attribute of holder.attributes.values()) {
      if (attribute.kind === 'relation' && attribute.owner && attribute.target !== undefined) {
        joins.push(linkTable(holder, attribute, attribute.target, links))
      } else if (attribute.kind === 'media') {
        joins.push(linkTable(holder, attribute, attribute.target, links))
      }
    }
    const placed = placedAttributes(holder)
    if (placed.length > 0) {
      const table = placesTable(holder)
      for (const attribute of placed) places.set(attribute, table.name)
      joins.push(table)
    }
  }
  for (const table of joins) tables.set(table.name, table)

  return {
    tables,
    linksOf(attribute) {
      const found = links.get(attribute)
      if (found === undefined) throw new TypeError(`no join table for ${attribute.name}`)
      return found
    },
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

function holderTable(holder: AttributeHolder, uid: string, type?: ContentType): Table {
  const columns: Column[] = [ID]
  const indexes: Index[] = []
  const name = holder.collectionName
  for (const attribute of holder.attributes.values()) {
    if (attribute.kind !== 'scalar') continue
    columns.push({
      name: attribute.column,
      type: columnTypeOf[attribute.type],
      nullable: true,
      origin: `${uid}.${attribute.name}`,
    })
    // Each locale has its own values.
    const within = type?.locale === undefined ? [] : [type.locale.column]
    if (attribute.unique) indexes.push(index(name, [attribute.column, ...within], true))
  }
  for (const attribute of type?.systemAttributes.values() ?? []) {
    const { column } = attribute
    columns.push({ name: column, type: columnTypeOf[attribute.type], nullable: true, origin: undefined })
    indexes.push(index(name, [column], false))
  }
  return { name, columns, indexes }
}

/** The owner's side names the table; both sides get their view of it. */
function linkTable(
  holder: AttributeHolder,
  attribute: RelationAttribute | MediaAttribute,
  target: ContentType,
  links: Map<RelationAttribute | MediaAttribute, Links>,
): Table {
  const name = linkTableName(holder.collectionName, attribute.name)
  const inverse = attribute.kind === 'relation' ? attribute.inverse : undefined
  const many = isMany(attribute)
  const inverseMany = inverse !== undefined && isMany(inverse)
  const targetOrder = many ? 'target_order' : undefined
  const sourceOrder = inverseMany ? 'source_order' : undefined
  links.set(attribute, {
    table: name,
    near: 'source_id',
    far: 'target_id',
    order: targetOrder,
    farOrder: sourceOrder,
  })
  if (inverse !== undefined) {
    links.set(inverse, {
      table: name,
      near: 'target_id',
      far: 'source_id',
      order: sourceOrder,
      farOrder: targetOrder,
    })
  }
  const columns: Column[] = [
    ID,
    reference('source_id', holder.collectionName),
    reference('target_id', target.collectionName),
  ]
  const indexes: Index[] = []
  if (targetOrder !== undefined) {
    columns.push(order(targetOrder))
    indexes.push(index(name, ['source_id', targetOrder], false))
    indexes.push(index(name, ['source_id', 'target_id'], true))
  } else {
    indexes.push(index(name, ['source_id'], true))
  }
  const exclusive = attribute.kind === 'relation' && attribute.exclusive
  if (sourceOrder !== undefined) {
    columns.push(order(sourceOrder))
    indexes.push(index(name, ['target_id', sourceOrder], false))
  } else {
    indexes.push(index(name, ['target_id'], exclusive))
  }
  return { name, columns, indexes }
}

function isMany(attribute: RelationAttribute | MediaAttribute): boolean {
  return attribute.kind === 'media' ? attribute.multiple : attribute.cardinality === 'many'
}

/** Rows of `<holder>_components` place a component's row at `field`, `place` of one row of the holder. */
function placesTable(holder: AttributeHolder): Table {
  const name = placesTableName(holder.collectionName)
  return {
    name,
    columns: [
      ID,
      reference('entity_id', holder.collectionName),
      { name: 'component_id', type: 'integer', nullable: false, origin: undefined },
      { name: 'component_type', type: 'text', nullable: false, origin: undefined },
      { name: 'field', type: 'text', nullable: false, origin: undefined },
      order('place'),
    ],
    indexes: [
      index(name, ['entity_id', 'field', 'place'], false),
      index(name, ['component_type', 'component_id'], true),
    ],
  }
}

function reference(name: string, references: string): Column {
  return { name, type: 'reference', nullable: false, origin: undefined, references }
}

function order(name: string): Column {
  return { name, type: 'order', nullable: false, origin: undefined }
}

function index(table: string, columns: readonly string[], unique: boolean): Index {
  return { name: shortName(`${table}_${columns.join('_')}_${unique ? 'unique' : 'index'}`), columns, unique }
}
