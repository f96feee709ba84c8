// Builds the join tables of relations, media and component positions.

import { createHash } from 'node:crypto'
import { isToMany, type MediaAttribute, type RelationAttribute } from '../../model/attribute.ts'
import type { Component, ContentType, Schema } from '../../model/content-type.ts'
import { getPlacesTableName, linkTableName, shortenName } from '../../model/naming.ts'
import type { Column, Index, Table, TextRename } from './layout.ts'

/** A join table seen from one side: `ownColumn` has this side's id, `otherColumn` the other side's. */
export interface Links {
  readonly table: string
  readonly ownColumn: 'source_id' | 'target_id'
  readonly otherColumn: 'source_id' | 'target_id'
  /** The column that orders the entries of the other side; undefined if an entry has at most one. */
  readonly order: 'source_order' | 'target_order' | undefined
  /** The column that orders this side's entries, if the other side shows many. */
  readonly otherOrder: 'source_order' | 'target_order' | undefined
  readonly type: string | undefined
}

/** The same table, seen from the other side. */
export function reverseLinks({ ownColumn, otherColumn, order, otherOrder, ...links }: Links): Links {
  return { ...links, ownColumn: otherColumn, otherColumn: ownColumn, order: otherOrder, otherOrder: order }
}

export const ID: Column = { name: 'id', type: 'id', nullable: false, origin: undefined }

/** The owning side names the table; each side gets its own view of it. */
export function linkTable(
  schema: Schema,
  attribute: RelationAttribute | MediaAttribute,
  target: ContentType,
  links: Map<RelationAttribute | MediaAttribute, Links>,
  /** Whether entries are documents: a link to a document with two versions is two rows. */
  documents: boolean,
): Table {
  const name = linkTableName(schema.collectionName, attribute.name)
  const inverse = attribute.kind === 'relation' ? attribute.inverse : undefined
  const many = isToMany(attribute)
  const inverseMany = inverse !== undefined && isToMany(inverse)
  const targetOrder = many ? 'target_order' : undefined
  const sourceOrder = inverseMany ? 'source_order' : undefined
  links.set(attribute, {
    table: name,
    ownColumn: 'source_id',
    otherColumn: 'target_id',
    order: targetOrder,
    otherOrder: sourceOrder,
    type: undefined,
  })
  if (inverse !== undefined) {
    links.set(inverse, {
      table: name,
      ownColumn: 'target_id',
      otherColumn: 'source_id',
      order: sourceOrder,
      otherOrder: targetOrder,
      type: undefined,
    })
  }
  const columns: Column[] = [
    ID,
    reference('source_id', schema.collectionName, getOrigin(schema, attribute)),
    reference('target_id', target.collectionName, getOrigin(schema, attribute)),
  ]
  const indexes: Index[] = []
  if (targetOrder !== undefined) {
    columns.push(order(targetOrder))
    // With the other id at its end, the index returns links in their final order, ties included, without
    // sorting.
    indexes.push(index(name, ['source_id', targetOrder, 'target_id'], false))
    indexes.push(index(name, ['source_id', 'target_id'], true))
  } else if (documents) {
    indexes.push(index(name, ['source_id', 'target_id'], true))
  } else {
    indexes.push(index(name, ['source_id'], true))
  }
  const exclusive = attribute.kind === 'relation' && attribute.exclusive && !documents
  if (sourceOrder !== undefined) {
    columns.push(order(sourceOrder))
    indexes.push(index(name, ['target_id', sourceOrder, 'source_id'], false))
  } else {
    indexes.push(index(name, ['target_id'], exclusive))
  }
  return { name, columns, indexes, ...knownAs(schema, attribute) }
}

/** The target is stored as uid and id, because no foreign key can refer to one of several tables. */
export function createMorphTable(
  schema: Schema,
  attribute: RelationAttribute,
  types: Iterable<ContentType>,
): Table {
  const name = linkTableName(schema.collectionName, attribute.name)
  const origin = getOrigin(schema, attribute)
  return {
    name,
    columns: [
      ID,
      reference('source_id', schema.collectionName, origin),
      { name: 'target_type', type: 'text', nullable: false, origin },
      { name: 'target_id', type: 'integer', nullable: false, origin },
      order('target_order'),
      order('source_order'),
    ],
    indexes: [
      index(name, ['source_id', 'target_order'], false),
      index(name, ['source_id', 'target_type', 'target_id'], true),
      index(name, ['target_type', 'target_id', 'source_order'], false),
    ],
    ...knownAs(schema, attribute),
    ...getTexts([...types].flatMap((type) => renamed('target_type', type.renamedFrom, type.uid))),
  }
}

/** morphOne and morphMany read the rows of their own type in the other side's table. */
export function linkMorphSides(
  type: ContentType,
  morphs: ReadonlyMap<RelationAttribute, string>,
  links: Map<RelationAttribute | MediaAttribute, Links>,
): void {
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'relation' || attribute.inverse === undefined) continue
    const table = morphs.get(attribute.inverse)
    if (table === undefined) continue
    links.set(attribute, {
      table,
      ownColumn: 'target_id',
      otherColumn: 'source_id',
      order: 'source_order',
      otherOrder: 'target_order',
      type: type.uid,
    })
  }
}

/** A row of `<holder>_components` puts a component's row at `field` and `place` of one row of the schema. */
export function createPlacesTable(schema: Schema, components: Iterable<Component>): Table {
  const name = getPlacesTableName(schema.collectionName)
  const { uid, renamedFrom } = schema
  const fields = [...schema.attributes.values()].filter(
    ({ kind }) => kind === 'component' || kind === 'dynamiczone',
  )
  return {
    name,
    columns: [
      ID,
      reference('entity_id', schema.collectionName, undefined),
      { name: 'component_id', type: 'integer', nullable: false, origin: undefined },
      { name: 'component_type', type: 'text', nullable: false, origin: undefined },
      { name: 'field', type: 'text', nullable: false, origin: undefined },
      order('place'),
    ],
    indexes: [
      index(name, ['entity_id', 'field', 'component_type', 'place', 'component_id'], false),
      index(name, ['component_type', 'component_id'], true),
    ],
    origin: `${uid}.*`,
    ...(renamedFrom !== undefined && { formerly: [`${renamedFrom}.*`] }),
    ...getTexts([
      ...fields.flatMap((field) => renamed('field', field.renamedFrom, field.name)),
      ...[...components].flatMap((component) =>
        renamed('component_type', component.renamedFrom, component.uid),
      ),
    ]),
  }
}

function reference(name: string, references: string, origin: string | undefined): Column {
  return { name, type: 'reference', nullable: false, origin, references }
}

function getOrigin(schema: Schema, attribute: { readonly name: string }): string {
  return `${schema.uid}.${attribute.name}`
}

function order(name: string): Column {
  return { name, type: 'order', nullable: false, origin: undefined }
}

export function index(table: string, columns: readonly string[], unique: boolean): Index {
  return {
    name: shortenName(`${table}_${columns.join('_')}_${unique ? 'unique' : 'index'}`),
    columns,
    unique,
  }
}

/**
 * A unique index that leaves out empty texts. It serves no queries: the database cannot know that a text is
 * not empty.
 */
export function createFilledIndex(table: string, columns: readonly string[]): Index {
  return {
    name: shortenName(`${table}_${columns.join('_')}_filled_unique`),
    columns,
    unique: true,
    filled: true,
  }
}

/** Indexes published rows by id, the default order of lists, or by a column. */
export function createPublishedIndex(table: string, column?: string): Index {
  // Indexes of all rows never have a name that ends in this way.
  const name = column === undefined ? `${table}_published_rows_index` : `${table}_${column}_index_published`
  return { name: shortenName(name), columns: [column ?? 'id'], unique: false, published: true }
}

/** The name must differ from content-types' tables: on SQLite the index is a table of its own. */
export function createTextIndex(table: string, column: string): Index {
  return {
    name: shortenName(`cms_run_text_${table}_${column}`),
    columns: [column],
    unique: false,
    text: true,
  }
}

/** Two: of numbers, for orders, and of short texts, for equality. */
export function createPathIndexes(table: string, column: string, path: readonly string[]): readonly Index[] {
  const digest = createHash('sha256').update(JSON.stringify(path)).digest('hex').slice(0, 8)
  return (['number', 'key'] as const).map((as) => ({
    name: shortenName(`${table}_${column}_${digest}_${as}_index`),
    columns: [column],
    unique: false,
    json: { path, as },
  }))
}

function knownAs(
  schema: Schema,
  { name, renamedFrom }: { readonly name: string; readonly renamedFrom?: string | undefined },
): Pick<Table, 'origin' | 'formerly'> {
  const uids = [schema.uid, schema.renamedFrom].filter((uid) => uid !== undefined)
  const names = [name, renamedFrom].filter((one) => one !== undefined)
  const [origin = '', ...formerly] = uids.flatMap((uid) => names.map((one) => `${uid}.${one}`))
  return { origin, ...(formerly.length > 0 && { formerly }) }
}

function renamed(column: string, from: string | undefined, to: string): readonly TextRename[] {
  return from === undefined ? [] : [{ column, from, to }]
}

function getTexts(texts: readonly TextRename[]): Pick<Table, 'texts'> {
  return texts.length === 0 ? {} : { texts }
}
