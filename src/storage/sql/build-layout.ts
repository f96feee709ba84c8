// Builds the tables of a model: one per content-type or component, a join table per relation, and a table of
// component positions per schema.

import { buildTable } from '../../attribute-types/attribute-types.ts'
import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../../model/attribute.ts'
import { allowsEmptyTexts } from '../../model/content-rules.ts'
import type { AttributeSet, ContentType, Schema } from '../../model/content-type.ts'
import type { Model } from '../../model/model.ts'
import { toSnakeCase } from '../../model/naming.ts'
import {
  createFilledIndex,
  createMorphTable,
  createPathIndexes,
  createPlacesTable,
  createPublishedIndex,
  createTextIndex,
  ID,
  index,
  type Links,
  linkMorphSides,
  linkTable,
} from './join-tables.ts'
import type { Column, ColumnType, Index, Layout, Table, Together } from './layout.ts'

/** A password column holds a hash, an enumeration column the text. */
const getValueColumn = buildTable(({ column }) => column)

export function getColumnType({ name, type }: ScalarAttribute): ColumnType {
  return name === 'id' ? 'id' : getValueColumn[type]
}

/** A set of attributes that is unique together but that no index can enforce. */
interface UniqueSet {
  readonly set: AttributeSet
  readonly together: Together
}

const noSets: readonly UniqueSet[] = []

export interface ModelLayout extends Layout {
  getLinkTable(attribute: RelationAttribute | MediaAttribute): Links
  getMorphs(attribute: RelationAttribute): string
  /** Deleting an entry also deletes the rows of polymorphic relations that point at it. */
  readonly morphTables: readonly string[]
  getTogether(type: ContentType): readonly UniqueSet[]
  getTextIndex(attribute: ScalarAttribute): string
  getPlaces(attribute: ComponentAttribute | DynamicZoneAttribute): string
}

export function buildLayout(model: Model): ModelLayout {
  const { documents } = model.apiVersion
  const tables = new Map<string, Table>()
  const joins: Table[] = []
  const links = new Map<RelationAttribute | MediaAttribute, Links>()
  const morphs = new Map<RelationAttribute, string>()
  const places = new Map<ComponentAttribute | DynamicZoneAttribute, string>()

  for (const component of model.components.values()) {
    tables.set(component.collectionName, buildSchemaTable(component, !documents))
  }
  for (const type of model.contentTypes.values()) {
    tables.set(type.collectionName, buildSchemaTable(type, hasOneRow(type), type))
  }
  const schemas: Schema[] = [...model.components.values(), ...model.contentTypes.values()]
  const textIndexes = new Map<ScalarAttribute, string>()
  for (const schema of schemas) {
    for (const attribute of schema.attributes.values()) {
      if (attribute.kind === 'scalar' && attribute.textIndex)
        textIndexes.set(attribute, createTextIndex(schema.collectionName, attribute.column).name)
      if (attribute.kind === 'relation' && attribute.sameDocument !== undefined) continue
      if (attribute.kind === 'relation' && attribute.owner && attribute.target !== undefined) {
        joins.push(linkTable(schema, attribute, attribute.target, links, documents))
      } else if (attribute.kind === 'relation' && attribute.owner) {
        const table = createMorphTable(schema, attribute, model.contentTypes.values())
        morphs.set(attribute, table.name)
        joins.push(table)
      } else if (attribute.kind === 'media') {
        joins.push(linkTable(schema, attribute, attribute.target, links, documents))
      }
    }
    const placed = placedAttributes(schema)
    if (placed.length > 0) {
      const table = createPlacesTable(schema, model.components.values())
      for (const attribute of placed) places.set(attribute, table.name)
      joins.push(table)
    }
  }
  for (const type of model.contentTypes.values()) linkMorphSides(type, morphs, links)
  for (const table of joins) tables.set(table.name, table)
  const uniqueSets = new Map<ContentType, readonly UniqueSet[]>()
  for (const type of model.contentTypes.values()) {
    const found = resolveTogether(type, links)
    const table = tables.get(type.collectionName)
    if (found.length === 0 || table === undefined) continue
    uniqueSets.set(type, found)
    tables.set(table.name, { ...table, together: found.map(({ together }) => together) })
  }

  return {
    tables,
    getLinkTable(attribute) {
      const found = links.get(attribute)
      if (found === undefined) throw new TypeError(`no join table for ${attribute.name}`)
      return found
    },
    getMorphs(attribute) {
      const found = morphs.get(attribute)
      if (found === undefined) throw new TypeError(`no join table for ${attribute.name}`)
      return found
    },
    morphTables: [...morphs.values()],
    getTextIndex(attribute) {
      const found = textIndexes.get(attribute)
      if (found === undefined) throw new TypeError(`no text index for ${attribute.name}`)
      return found
    },
    getTogether: (type) => uniqueSets.get(type) ?? noSets,
    getPlaces(attribute) {
      const found = places.get(attribute)
      if (found === undefined) throw new TypeError(`no component table for ${attribute.name}`)
      return found
    },
  }
}

function placedAttributes(schema: Schema): readonly (ComponentAttribute | DynamicZoneAttribute)[] {
  return [...schema.attributes.values()].filter(
    (attribute) => attribute.kind === 'component' || attribute.kind === 'dynamiczone',
  )
}

/** False with versions: a document's draft and published version have the same unique values. */
function hasOneRow({ document }: ContentType): boolean {
  return document?.versions !== true
}

function buildSchemaTable(schema: Schema, unique: boolean, type?: ContentType): Table {
  const { uid, renamedFrom } = schema
  const columns: Column[] = [ID]
  const indexes: Index[] = []
  const name = schema.collectionName
  const published = type?.document?.versions === true
  for (const attribute of schema.attributes.values()) {
    if (attribute.kind !== 'scalar' || attribute.computed !== undefined) continue
    columns.push({
      name: attribute.column,
      type: getColumnType(attribute),
      nullable: true,
      origin: `${uid}.${attribute.name}`,
      ...(attribute.renamedFrom !== undefined && { formerly: toSnakeCase(attribute.renamedFrom) }),
    })
    if (attribute.unique) indexes.push(...uniqueIndexes(name, attribute, type, unique))
    if (attribute.textIndex) indexes.push(createTextIndex(name, attribute.column))
    for (const path of attribute.indexedPaths)
      indexes.push(...createPathIndexes(name, attribute.column, path))
  }
  for (const attribute of type?.systemAttributes.values() ?? []) {
    const { column } = attribute
    columns.push({ name: column, type: getColumnType(attribute), nullable: true, origin: undefined })
    indexes.push(index(name, [column], false))
    if (published && (attribute === type?.createdAt || attribute === type?.updatedAt))
      indexes.push(createPublishedIndex(name, column))
  }
  for (const attribute of type === undefined ? [] : [type.revision.number, type.revision.changes])
    columns.push({
      name: attribute.column,
      type: getColumnType(attribute),
      nullable: true,
      origin: undefined,
    })
  if (type !== undefined) indexes.push(...setIndexes(type))
  // Drafts have lower ids than published rows, so a scan by id would read all drafts before the first page.
  if (published) indexes.push(createPublishedIndex(name))
  return {
    name,
    columns,
    indexes: withoutRepeated(indexes),
    origin: uid,
    ...(renamedFrom !== undefined && { formerly: [renamedFrom] }),
  }
}

function uniqueIndexes(
  name: string,
  attribute: ScalarAttribute,
  type: ContentType | undefined,
  unique: boolean,
): readonly Index[] {
  const columns = withLocale([attribute.column], type)
  if (!unique || type === undefined || !allowsEmptyTexts(type) || getColumnType(attribute) !== 'text')
    return [index(name, columns, unique)]
  return [createFilledIndex(name, columns), index(name, columns, false)]
}

/** Relations of a set have an index already, in their join table. */
function setIndexes(type: ContentType): readonly Index[] {
  const name = type.collectionName
  const unique = type.uniqueSets
    .filter((set) => set.every(isScalar))
    .map((set) => index(name, withLocale(listColumns(set), type), hasOneRow(type)))
  const indexed = type.indexedSets.map(listColumns).filter((columns) => columns.length > 0)
  return [...unique, ...indexed.map((columns) => index(name, columns, false))]
}

/** Keeps the first of equal indexes: unique ones come first. */
function withoutRepeated(indexes: readonly Index[]): readonly Index[] {
  const first = new Map<string, Index>()
  for (const one of indexes) {
    const kind = (['text', 'filled', 'published'] as const).filter((name) => one[name] === true).join()
    const key = `${one.columns.join()} ${kind} ${JSON.stringify(one.json ?? '')}`
    if (!first.has(key)) first.set(key, one)
  }
  return [...first.values()]
}

function listColumns(set: AttributeSet): readonly string[] {
  return set.filter(isScalar).map(({ column }) => column)
}

function isScalar(attribute: AttributeSet[number]): attribute is ScalarAttribute {
  return attribute.kind === 'scalar'
}

/** Values of localized types must be unique only within their locale. */
function withLocale(columns: readonly string[], type: ContentType | undefined): readonly string[] {
  const locale = type?.locale?.column
  return locale === undefined || columns.includes(locale) ? columns : [...columns, locale]
}

function resolveTogether(
  type: ContentType,
  links: ReadonlyMap<RelationAttribute | MediaAttribute, Links>,
): readonly UniqueSet[] {
  return type.uniqueSets
    .filter((set) => !set.every(isScalar))
    .map((set) => {
      const columns = withLocale(listColumns(set), type)
      const linked = set.flatMap((attribute) => {
        const found = attribute.kind === 'relation' ? links.get(attribute) : undefined
        if (found === undefined) return []
        return [
          {
            table: found.table,
            near: found.ownColumn,
            far: found.otherColumn,
            origin: `${type.uid}.${attribute.name}`,
          },
        ]
      })
      return {
        set,
        together: { columns, links: linked, ...(!hasOneRow(type) && { published: true as const }) },
      }
    })
}
