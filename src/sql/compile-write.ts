// The statements of writes: one text for each table and set of columns, made once and kept. Values are given at
// the run, encoded by `encodeColumn`.

import { type RawBuilder, sql } from 'kysely'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { AttributeHolder } from '../model/content-type.ts'
import type { PlanValue } from '../plan/read-plan.ts'
import { columnTypeOf, type Links } from './build-layout.ts'
import type { Dialect } from './dialect.ts'
import { createCompiler } from './kysely-compiler.ts'
import type { ColumnType } from './layout.ts'
import { type SqlValue, type Statement, statement } from './statement.ts'

export interface WriteStatements {
  /** Values: the columns' in order. Returns the new id. */
  insertRow(holder: AttributeHolder, columns: readonly ScalarAttribute[]): Statement
  /** Values: the columns' in order, then the id. Returns the id when the row exists. */
  updateRow(holder: AttributeHolder, columns: readonly ScalarAttribute[]): Statement
  /** Values: id. Returns the id when the row existed. */
  deleteRow(holder: AttributeHolder): Statement
  /** Values: id. Returns id and, for types with drafts, publishedAt. */
  stateOf(holder: AttributeHolder, publishedAt: ScalarAttribute | undefined): Statement
  /** Values: a list of ids. Returns those that exist. */
  existing(holder: AttributeHolder): Statement
  /**
   * Values: the value, an id to leave out; with `locale` also that id again and a locale, for when there is no row of
   * that id. Returns an id that has the value, within the locale.
   */
  withValue(
    holder: AttributeHolder,
    attribute: ScalarAttribute,
    locale: ScalarAttribute | undefined,
  ): Statement
  /** Values: near id. Returns far ids in their order. */
  linksFrom(links: Links): Statement
  /** Values: far id. Returns the highest order among the far entry's links. */
  lastFarOrder(links: Links): Statement
  /** Values: near, far, then order and far order as far as the table has them. */
  insertLink(links: Links): Statement
  /** Values: order, near, far. */
  moveLink(links: Links): Statement
  /** Values: near, far. */
  deleteLink(links: Links): Statement
  /** Values: far id. Ends the far entry's links with whoever has it. */
  releaseFar(links: Links): Statement
  /** Values: entity, field. Returns component type and id, in order. */
  placesOf(table: string): Statement
  /** Values: entity, component id, component type, field, place. */
  insertPlace(table: string): Statement
  /** Values: place, component type, component id. */
  movePlace(table: string): Statement
  /** Values: component type, component id. */
  deletePlace(table: string): Statement
  encode(attribute: ScalarAttribute, value: PlanValue): SqlValue
  encodeIds(ids: readonly number[]): SqlValue
}

type Sql = RawBuilder<unknown>

export function createWriteStatements(dialect: Dialect): WriteStatements {
  const compile = createCompiler(dialect)
  const kept = new Map<string, Statement>()
  const keep = (key: string, returns: boolean, make: () => Sql): Statement => {
    let found = kept.get(key)
    if (found === undefined) {
      found = statement(compile(make()).text, returns)
      kept.set(key, found)
    }
    return found
  }
  const table = (holder: AttributeHolder): Sql => sql.table(holder.collectionName)
  const parameter = (type: ColumnType): Sql => dialect.bind(type, sql`${null}`)
  const typeOf = (attribute: ScalarAttribute): ColumnType =>
    attribute.name === 'id' ? 'id' : columnTypeOf[attribute.type]
  const ref = (name: string): Sql => sql.ref(name)
  const integer = parameter('integer')
  const text = parameter('text')
  const columnsKey = (columns: readonly ScalarAttribute[]): string => columns.map((c) => c.column).join(',')

  return {
    insertRow(holder, columns) {
      return keep(`insert ${holder.collectionName} ${columnsKey(columns)}`, true, () => {
        if (columns.length === 0)
          return sql`insert into ${table(holder)} default values returning ${ref('id')}`
        const names = sql.join(columns.map((column) => ref(column.column)))
        const values = sql.join(columns.map((column) => parameter(typeOf(column))))
        return sql`insert into ${table(holder)} (${names}) values (${values}) returning ${ref('id')}`
      })
    },
    updateRow(holder, columns) {
      return keep(`update ${holder.collectionName} ${columnsKey(columns)}`, true, () => {
        const sets = columns.map((column) => sql`${ref(column.column)} = ${parameter(typeOf(column))}`)
        if (sets.length === 0) sets.push(sql`${ref('id')} = ${ref('id')}`)
        return sql`update ${table(holder)} set ${sql.join(sets)} where ${ref('id')} = ${integer} returning ${ref('id')}`
      })
    },
    deleteRow(holder) {
      return keep(
        `delete ${holder.collectionName}`,
        true,
        () => sql`delete from ${table(holder)} where ${ref('id')} = ${integer} returning ${ref('id')}`,
      )
    },
    stateOf(holder, publishedAt) {
      return keep(`state ${holder.collectionName}`, true, () => {
        const shown = publishedAt === undefined ? sql`` : sql`, ${ref(publishedAt.column)}`
        return sql`select ${ref('id')}${shown} from ${table(holder)} where ${ref('id')} = ${integer}`
      })
    },
    existing(holder) {
      return keep(`existing ${holder.collectionName}`, true, () => {
        const listed = dialect.inList('id', ref('id'), sql`${null}`)
        return sql`select ${ref('id')} from ${table(holder)} where ${listed}`
      })
    },
    withValue(holder, attribute, locale) {
      return keep(`value ${holder.collectionName} ${attribute.column}`, true, () => {
        const equal = sql`${ref(attribute.column)} = ${parameter(typeOf(attribute))}`
        const others = sql`${equal} and ${ref('id')} <> ${integer}`
        const own = (column: string): Sql =>
          sql`coalesce((select ${ref(column)} from ${table(holder)} where ${ref('id')} = ${integer}), ${text})`
        const within = locale === undefined ? sql`` : sql` and ${ref(locale.column)} = ${own(locale.column)}`
        return sql`select ${ref('id')} from ${table(holder)} where ${others}${within} limit 1`
      })
    },
    linksFrom(links) {
      return keep(`links ${links.table} ${links.near}`, true, () => {
        const order = links.order === undefined ? sql`` : sql` order by ${ref(links.order)}, ${ref('id')}`
        return sql`select ${ref(links.far)} from ${sql.table(links.table)} where ${ref(links.near)} = ${integer}${order}`
      })
    },
    lastFarOrder(links) {
      return keep(`last ${links.table} ${links.far}`, true, () => {
        const order = links.farOrder ?? 'id'
        return sql`select max(${ref(order)}) from ${sql.table(links.table)} where ${ref(links.far)} = ${integer}`
      })
    },
    insertLink(links) {
      return keep(`link ${links.table} ${links.near}`, false, () => {
        const names = [links.near, links.far, links.order, links.farOrder].filter(
          (name) => name !== undefined,
        )
        return sql`insert into ${sql.table(links.table)} (${sql.join(names.map(ref))}) values (${sql.join(names.map(() => integer))})`
      })
    },
    moveLink(links) {
      return keep(`move ${links.table} ${links.near}`, false, () => {
        const order = links.order ?? 'id'
        return sql`update ${sql.table(links.table)} set ${ref(order)} = ${integer} where ${ref(links.near)} = ${integer} and ${ref(links.far)} = ${integer}`
      })
    },
    deleteLink(links) {
      return keep(
        `unlink ${links.table} ${links.near}`,
        false,
        () =>
          sql`delete from ${sql.table(links.table)} where ${ref(links.near)} = ${integer} and ${ref(links.far)} = ${integer}`,
      )
    },
    releaseFar(links) {
      return keep(
        `release ${links.table} ${links.far}`,
        false,
        () => sql`delete from ${sql.table(links.table)} where ${ref(links.far)} = ${integer}`,
      )
    },
    placesOf(name) {
      return keep(
        `places ${name}`,
        true,
        () =>
          sql`select ${ref('component_type')}, ${ref('component_id')} from ${sql.table(name)} where ${ref('entity_id')} = ${integer} and ${ref('field')} = ${text} order by ${ref('place')}, ${ref('id')}`,
      )
    },
    insertPlace(name) {
      const names = ['entity_id', 'component_id', 'component_type', 'field', 'place'].map(ref)
      return keep(
        `place ${name}`,
        false,
        () =>
          sql`insert into ${sql.table(name)} (${sql.join(names)}) values (${sql.join([integer, integer, text, text, integer])})`,
      )
    },
    movePlace(name) {
      return keep(
        `move-place ${name}`,
        false,
        () =>
          sql`update ${sql.table(name)} set ${ref('place')} = ${integer} where ${ref('component_type')} = ${text} and ${ref('component_id')} = ${integer}`,
      )
    },
    deletePlace(name) {
      return keep(
        `unplace ${name}`,
        false,
        () =>
          sql`delete from ${sql.table(name)} where ${ref('component_type')} = ${text} and ${ref('component_id')} = ${integer}`,
      )
    },
    encode: (attribute, value) => dialect.encode(typeOf(attribute), value),
    encodeIds: (ids) => dialect.encodeList('id', ids),
  }
}
