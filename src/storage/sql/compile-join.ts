// Compiles the join from a row to its populated rows: through the join table of a relation, or the table of component
// positions.

import { type RawBuilder, sql } from 'kysely'
import { invariant } from '../../lib/errors/invariant.ts'
import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
} from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Compilation } from './compilation.ts'
import { joinRows } from './compile-document-write.ts'

type PopulatedAttribute = RelationAttribute | MediaAttribute | ComponentAttribute

export interface PopulatedTables {
  readonly from: RawBuilder<unknown>
  /**
   * Looks up each row by its id, in the order of the links, so that the database's planner cannot choose
   * another join.
   */
  readonly lookedUp?: RawBuilder<unknown>
  readonly parent: RawBuilder<unknown>
  readonly only: RawBuilder<unknown>
  /** The row's id, in the same table as `parent`, so that an index may return rows in its order. */
  readonly id: RawBuilder<unknown>
  /** Undefined if a parent has at most one row. */
  readonly order: RawBuilder<unknown> | undefined
}

export function joinPopulatedTables(
  compilation: Compilation,
  field: PopulatedAttribute,
  inner: string,
): PopulatedTables {
  if (field.kind === 'component') return joinPlacedTables(compilation, field, field.component, inner)
  const { target } = field
  if (field.kind === 'relation' && field.sameDocument !== undefined)
    return localeTables(compilation, field, inner)
  invariant(target !== undefined, `${field.name} has no one target`)
  const { table, ownColumn, otherColumn, type, order } = compilation.layout.getLinkTable(field)
  const only: Conditions = type === undefined ? [] : [['target_type', type]]
  return joined(compilation, { table, parent: ownColumn, id: otherColumn, order, only }, target, inner)
}

function localeTables(
  compilation: Compilation,
  { name, target, sameDocument: which }: RelationAttribute,
  inner: string,
): PopulatedTables {
  const documentId = target?.document?.documentId
  invariant(
    target !== undefined && documentId !== undefined && which !== undefined,
    `${name} is of a document`,
  )
  const alias = compilation.alias()
  const table = sql.table(target.collectionName)
  return {
    from: sql`${table} as ${sql.ref(alias)} join ${table} as ${sql.ref(inner)} on ${joinRows(alias, inner, documentId.column, target.locale?.column, which)}`,
    parent: sql.ref(`${alias}.id`),
    id: sql.ref(`${inner}.id`),
    only: sql``,
    order: target.locale === undefined ? undefined : sql.ref(`${inner}.${target.locale.column}`),
  }
}

export function joinMorphTables(
  compilation: Compilation,
  field: RelationAttribute,
  type: ContentType,
  inner: string,
): PopulatedTables {
  const table = compilation.layout.getMorphs(field)
  const only: Conditions = [['target_type', type.uid]]
  const columns = { parent: 'source_id', id: 'target_id', order: 'target_order' }
  return joined(compilation, { table, ...columns, only }, type, inner)
}

/** Orders the entries by the file's position in their list. */
export function joinShowingTables(
  compilation: Compilation,
  field: MediaAttribute,
  type: ContentType,
  inner: string,
): PopulatedTables {
  const { table, ownColumn, otherColumn, order } = compilation.layout.getLinkTable(field)
  const tables = joined(
    compilation,
    { table, parent: otherColumn, id: ownColumn, order, only: [] },
    type,
    inner,
  )
  return { ...tables, order: tables.order ?? sql.lit(1) }
}

export function joinPlacedTables(
  compilation: Compilation,
  field: ComponentAttribute | DynamicZoneAttribute,
  component: StoredTable & { readonly uid: string },
  inner: string,
): PopulatedTables {
  const table = compilation.layout.getPlaces(field)
  const only: Conditions = [
    ['field', field.name],
    ['component_type', component.uid],
  ]
  const columns = { parent: 'entity_id', id: 'component_id', order: 'place' }
  return joined(compilation, { table, ...columns, only }, component, inner)
}

interface StoredTable {
  readonly collectionName: string
}

/** Column names and values come from the model, never from a request. */
type Conditions = readonly (readonly [column: string, value: string])[]

interface Links {
  readonly table: string
  readonly parent: string
  readonly id: string
  readonly order: string | undefined
  readonly only: Conditions
}

function joined(
  compilation: Compilation,
  { table, parent, id, order, only }: Links,
  { collectionName }: StoredTable,
  inner: string,
): PopulatedTables {
  const alias = compilation.alias()
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${alias}.${name}`)
  const links = sql`${sql.table(table)} as ${sql.ref(alias)}`
  const otherTable = sql.table(collectionName)
  const one = sql`select * from ${otherTable} where ${sql.ref('id')} = ${column(id)}`
  return {
    from: sql`${links} join ${otherTable} as ${sql.ref(inner)} on ${sql.ref(`${inner}.id`)} = ${column(id)}`,
    lookedUp: sql`${links} cross join lateral (${compilation.dialect.once(one)}) as ${sql.ref(inner)}`,
    parent: column(parent),
    id: column(id),
    only: sql.join(
      only.map(([name, value]) => sql` and ${column(name)} = ${sql.lit(value)}`),
      sql``,
    ),
    order: order === undefined ? undefined : column(order),
  }
}
