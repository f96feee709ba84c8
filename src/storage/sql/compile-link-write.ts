// The statements for join tables in writes: links of relations and media, polymorphic links, positions of
// components.

import { type RawBuilder, sql } from 'kysely'
import { InvariantError } from '../../lib/errors/invariant.ts'
import type { Dialect } from './dialect.ts'
import type { Links } from './join-tables.ts'
import type { ChangeAnswer, Statement } from './statement.ts'

export interface LinkStatements {
  /** Values: own id. Returns other ids and any orders, in their order. */
  linksFrom(links: Links): Statement
  /** Values: own id, orders by other id (`encodeOrders`). Each link comes last in the other entry's list. */
  insertLinks(links: Links): Statement
  /** Values: new orders by other id (`encodeOrders`), own id. */
  orderLinks(links: Links): Statement
  /** Values: own id, a list of other ids. */
  deleteLinks(links: Links): Statement
  /** Values: a list of other ids. Deletes all links to them. */
  releaseFar(links: Links): Statement
  /** For morphToOne or morphToMany. Values: source id. Returns target types, ids and orders, in order. */
  morphsFrom(table: string): Statement
  /**
   * Values: source id, target type, orders by target id (`encodeOrders`). Each link comes last in the
   * target's list.
   */
  insertMorphs(table: string): Statement
  /** Values: new orders by target id (`encodeOrders`), source id, target type. */
  orderMorphs(table: string): Statement
  /** Values: source id, target type, a list of target ids. */
  deleteMorphs(table: string): Statement
  /** Values: target type, a list of target ids. Deletes all links to them. */
  releaseMorphs(table: string): Statement
  /** Values: entity, field. Returns component type and id, in order. */
  getPlaces(table: string): Statement
  /** Values: component type, component id, field. Returns the entity with that component. */
  getSchemaId(table: string): Statement
  /** Values: entity, component id, component type, field, place. */
  insertPlace(table: string): Statement
  /** Values: place, component type, component id. */
  movePlace(table: string): Statement
  /** Values: component type, component id. */
  deletePlace(table: string): Statement
}

type Sql = RawBuilder<unknown>

export type Keep = (key: string, returns: boolean | ChangeAnswer, make: () => Sql) => Statement

export function createLinkStatements(dialect: Dialect, keep: Keep): LinkStatements {
  const ref = (name: string): Sql => sql.ref(name)
  const integer = dialect.bind('integer', sql`${null}`)
  const text = dialect.bind('text', sql`${null}`)
  const listed = (column: string): Sql => dialect.inList('id', ref(column), sql`${null}`)
  const orders = sql`${dialect.ordersById(sql`${null}`)} as ${ref('given')}`
  const [givenId, givenOrder] = [sql`${ref('given')}.${ref('id')}`, sql`${ref('given')}.${ref('place')}`]
  const getView = (links: Links): string => `${links.ownColumn} ${links.type ?? ''}`
  const ofType = (links: Links, column = ref): Sql =>
    links.type === undefined ? sql`` : sql` and ${column('target_type')} = ${sql.lit(links.type)}`
  const behindLast = (order: string, table: string, condition: Sql): Sql =>
    sql`coalesce((select max(${ref(order)}) from ${sql.table(table)} where ${condition}), 0) + 1`
  const insertInto = (table: string, columns: readonly string[]): Sql =>
    sql`insert into ${sql.table(table)} (${sql.join(columns.map(ref))})`
  const getMorph = (column: (name: string) => Sql): Sql =>
    sql`${column('source_id')} = ${integer} and ${column('target_type')} = ${text}`

  return {
    linksFrom(links) {
      return keep(`links ${links.table} ${getView(links)}`, true, () => {
        const order = links.order === undefined ? undefined : ref(links.order)
        const columns =
          order === undefined ? ref(links.otherColumn) : sql`${ref(links.otherColumn)}, ${order}`
        const ordered = order === undefined ? sql`` : sql` order by ${order}, ${ref('id')}`
        return sql`select ${columns} from ${sql.table(links.table)} where ${ref(links.ownColumn)} = ${integer}${ofType(links)}${ordered}`
      })
    },
    insertLinks(links) {
      return keep(`link ${links.table} ${getView(links)}`, false, () => {
        const columns: [string, Sql][] = [
          [links.ownColumn, integer],
          [links.otherColumn, givenId],
        ]
        if (links.order !== undefined) columns.push([links.order, givenOrder])
        if (links.otherOrder !== undefined)
          columns.push([
            links.otherOrder,
            behindLast(links.otherOrder, links.table, sql`${ref(links.otherColumn)} = ${givenId}`),
          ])
        if (links.type !== undefined) columns.push(['target_type', sql.lit(links.type)])
        const names = columns.map(([name]) => name)
        return sql`${insertInto(links.table, names)} select ${sql.join(columns.map(([, value]) => value))} from ${orders}`
      })
    },
    orderLinks(links) {
      return keep(`order ${links.table} ${getView(links)}`, false, () =>
        dialect.reorder(
          {
            table: links.table,
            order: getOrder(links),
            id: links.otherColumn,
            condition: (column) => sql`${column(links.ownColumn)} = ${integer}${ofType(links, column)}`,
          },
          dialect.ordersById(sql`${null}`),
        ),
      )
    },
    deleteLinks(links) {
      return keep(
        `unlink ${links.table} ${getView(links)}`,
        false,
        () =>
          sql`delete from ${sql.table(links.table)} where ${ref(links.ownColumn)} = ${integer} and ${listed(links.otherColumn)}${ofType(links)}`,
      )
    },
    releaseFar(links) {
      return keep(
        `release ${links.table} ${links.otherColumn}`,
        false,
        () => sql`delete from ${sql.table(links.table)} where ${listed(links.otherColumn)}`,
      )
    },
    morphsFrom(name) {
      const names = sql.join(['target_type', 'target_id', 'target_order'].map(ref))
      return keep(
        `morphs ${name}`,
        true,
        () =>
          sql`select ${names} from ${sql.table(name)} where ${ref('source_id')} = ${integer} order by ${ref('target_order')}, ${ref('id')}`,
      )
    },
    insertMorphs(name) {
      const pointsAt = sql`${ref('target_type')} = ${ref('named')}.${ref('type')} and ${ref('target_id')} = ${givenId}`
      return keep(
        `morph ${name}`,
        false,
        () =>
          sql`${insertInto(name, ['source_id', 'target_type', 'target_id', 'target_order', 'source_order'])} select ${ref('named')}.${ref('source')}, ${ref('named')}.${ref('type')}, ${givenId}, ${givenOrder}, ${behindLast('source_order', name, pointsAt)} from (select ${integer} as ${ref('source')}, ${text} as ${ref('type')}) as ${ref('named')}, ${orders}`,
      )
    },
    orderMorphs(name) {
      return keep(`order-morph ${name}`, false, () =>
        dialect.reorder(
          { table: name, order: 'target_order', id: 'target_id', condition: getMorph },
          dialect.ordersById(sql`${null}`),
        ),
      )
    },
    deleteMorphs(name) {
      return keep(
        `unmorph ${name}`,
        false,
        () => sql`delete from ${sql.table(name)} where ${getMorph(ref)} and ${listed('target_id')}`,
      )
    },
    releaseMorphs(name) {
      return keep(
        `release-morph ${name}`,
        false,
        () =>
          sql`delete from ${sql.table(name)} where ${ref('target_type')} = ${text} and ${listed('target_id')}`,
      )
    },
    getPlaces(name) {
      return keep(
        `places ${name}`,
        true,
        () =>
          sql`select ${ref('component_type')}, ${ref('component_id')} from ${sql.table(name)} where ${ref('entity_id')} = ${integer} and ${ref('field')} = ${text} order by ${ref('place')}, ${ref('id')}`,
      )
    },
    getSchemaId(name) {
      return keep(
        `holder ${name}`,
        true,
        () =>
          sql`select ${ref('entity_id')} from ${sql.table(name)} where ${ref('component_type')} = ${text} and ${ref('component_id')} = ${integer} and ${ref('field')} = ${text}`,
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
  }
}

function getOrder({ table, order }: Links): string {
  if (order === undefined) throw new InvariantError(`the links of ${table} have no order`)
  return order
}
