// Converts an entity of Strapi's export to its row, the rows of its components, and the rows that link them.

import { deriveDocumentId } from '../../lib/document-id.ts'
import { isRecord } from '../../lib/is-record.ts'
import type {
  Component,
  ContentType,
  DynamicZoneAttribute,
  ScalarAttribute,
  Schema,
} from '../../model/attribute.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import { decodeArchiveValue } from '../../storage/sql/archive-value.ts'
import { getColumnType, type ModelLayout } from '../../storage/sql/build-layout.ts'
import type { Column, ColumnType, Table } from '../../storage/sql/layout.ts'
import { type Json, StrapiFault } from './strapi-source.ts'

/** Receives the rows in an order in which they can be stored. */
type TakeRow = (table: Table, row: readonly PlanValue[]) => void

interface EntityRows {
  take(type: ContentType, id: number, data: Json): void
}

/** A value that its column cannot hold. */
export interface Misfit {
  /** The content-type. */
  readonly type: string
  readonly id: number
  /** `seo.title`, `blocks.0.price`. */
  readonly path: string
  /** The type of the attribute. */
  readonly expected: string
  readonly value: unknown
}

/** `leaveOut`: called for a value that does not fit; the row has null in its place. */
export function createEntityRows(
  layout: ModelLayout,
  take: TakeRow,
  leaveOut: (misfit: Misfit) => void,
): EntityRows {
  const shapes = new Map<Schema, Shape>()
  const getShape = (schema: Schema): Shape => {
    const shape = shapes.get(schema) ?? createShape(schema, layout)
    shapes.set(schema, shape)
    return shape
  }
  /** Last id by table: rows that link components have no ids in an export. */
  const places = new Map<string, number>()

  function takeSchema(schema: Schema, id: number, data: Json, entry: Place): void {
    const { table, readers } = getShape(schema)
    take(
      table,
      readers.map((read) =>
        read(data, id, (name, expected, value) =>
          leaveOut({ ...entry, path: [...entry.path, name].join('.'), expected, value }),
        ),
      ),
    )
    for (const attribute of schema.attributes.values()) {
      const value = data[attribute.name]
      if (value === null || value === undefined) continue
      if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') continue
      const isList = Array.isArray(value)
      for (const [index, one] of (isList ? value : [value]).entries()) {
        const component = attribute.kind === 'component' ? attribute.component : findComponent(attribute, one)
        const path = [...entry.path, attribute.name, ...(isList ? [String(index)] : [])]
        if (component !== undefined)
          place(schema, id, attribute.name, index, component, one, { ...entry, path })
      }
    }
  }

  function place(
    schema: Schema,
    entity: number,
    field: string,
    index: number,
    component: Component,
    value: unknown,
    at: Place,
  ): void {
    if (!isRecord(value)) throw new StrapiFault(`${schema.uid} ${entity}: "${field}" is not a component`)
    const id = getId(value['id'], `${schema.uid} ${entity}: a component of "${field}"`)
    takeSchema(component, id, value, at)
    const { placesTable } = getShape(schema)
    if (placesTable === undefined) return
    const number = (places.get(placesTable.name) ?? 0) + 1
    places.set(placesTable.name, number)
    const row: Readonly<Record<string, PlanValue>> = {
      id: number,
      entity_id: entity,
      component_id: id,
      component_type: component.uid,
      field,
      place: index + 1,
    }
    take(
      placesTable,
      placesTable.columns.map(({ name }) => row[name] ?? null),
    )
  }

  return { take: (type, id, data) => takeSchema(type, id, data, { type: type.uid, id, path: [] }) }
}

function findComponent({ components }: DynamicZoneAttribute, value: unknown): Component | undefined {
  const uid = isRecord(value) ? value['__component'] : undefined
  return components.find((candidate) => candidate.uid === uid)
}

/** The entry that a value belongs to, and its path there. */
interface Place {
  readonly type: string
  readonly id: number
  readonly path: readonly string[]
}

type Report = (name: string, expected: string, value: unknown) => void
type ReadValue = (data: Json, id: number, report: Report) => PlanValue

export function getId(value: unknown, place: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value
  throw new StrapiFault(`${place} has no id`)
}

interface Shape {
  readonly table: Table
  readonly readers: readonly ReadValue[]
  readonly placesTable: Table | undefined
}

function createShape(schema: Schema, layout: ModelLayout): Shape {
  const table = layout.tables.get(schema.collectionName)
  if (table === undefined) throw new TypeError(`no table ${schema.collectionName}`)
  const scalars = new Map<string, ScalarAttribute>()
  const system = 'systemAttributes' in schema ? (schema as ContentType).systemAttributes : new Map()
  for (const attribute of [...schema.attributes.values(), ...system.values()]) {
    if (attribute.kind === 'scalar') scalars.set(attribute.column, attribute)
  }
  const placed = [...schema.attributes.values()].find(
    (attribute) => attribute.kind === 'component' || attribute.kind === 'dynamiczone',
  )
  const placesName =
    placed?.kind === 'component' || placed?.kind === 'dynamiczone' ? layout.getPlaces(placed) : undefined
  return {
    table,
    readers: table.columns.map((column) => {
      const attribute = scalars.get(column.name)
      return buildReader(column, attribute, getAbsent(schema, attribute))
    }),
    placesTable: placesName === undefined ? undefined : layout.tables.get(placesName),
  }
}

/**
 * Fills missing system values, without which clients could not query the entry: entries from before an update
 * to Strapi 5 may have no documentId, and from before localization no locale.
 */
function getAbsent(
  schema: Schema,
  attribute: ScalarAttribute | undefined,
): ((id: number) => PlanValue) | undefined {
  if (attribute === undefined || !('systemAttributes' in schema)) return undefined
  const { uid, document, locale } = schema as ContentType
  if (attribute === document?.documentId) return (id) => deriveDocumentId(uid, id)
  if (attribute === locale && typeof locale.default === 'string') {
    const standard = locale.default
    return () => standard
  }
  return undefined
}

function buildReader(
  { type }: Column,
  attribute: ScalarAttribute | undefined,
  absent: ((id: number) => PlanValue) | undefined,
): ReadValue {
  if (attribute === undefined) return type === 'id' ? (_, id) => id : () => null
  const { name } = attribute
  const columnType = getColumnType(attribute)
  return (data, id, report) => {
    const given = data[name]
    if (absent !== undefined && (given === null || given === undefined || given === '')) return absent(id)
    const value = decodeArchiveValue(
      columnType,
      given === null || given === undefined ? null : written[columnType](given),
    )
    if (value !== undefined) return value
    report(name, attribute.type, given)
    return null
  }
}

const asIs = (value: unknown): unknown => value
const text = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
const number = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value

/** Strapi's databases give the same value as text or as a number. */
const written = {
  id: asIs,
  reference: asIs,
  order: asIs,
  text,
  integer: number,
  biginteger: text,
  float: number,
  decimal: number,
  boolean: (value) => (value === 1 || value === 0 ? value === 1 : value),
  date: asIs,
  time: (value) => (typeof value === 'string' && /^\d\d:\d\d$/.test(value) ? `${value}:00` : value),
  datetime: asIs,
  json: (value) => JSON.stringify(value),
} as const satisfies Record<ColumnType, (value: unknown) => unknown>
