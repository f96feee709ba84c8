// The statements that write what joins rows: links of relations and media, polymorphic ones, places of components.

import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { Links } from './join-tables.ts'
import type { Statement } from './statement.ts'

export interface LinkStatements {
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
  /** The table of a morphToOne or morphToMany. Values: source id. Returns target types and ids in their order. */
  morphsFrom(table: string): Statement
  /** Values: target type, target id. Returns the highest order among those that point at the target. */
  lastMorphOrder(table: string): Statement
  /** Values: source, target type, target id, order, order among those that point at the target. */
  insertMorph(table: string): Statement
  /** Values: order, source, target type, target id. */
  moveMorph(table: string): Statement
  /** Values: source, target type, target id. */
  deleteMorph(table: string): Statement
  /** Values: target type, target id. Nothing points at the target any more. */
  releaseMorph(table: string): Statement
  /** Values: entity, field. Returns component type and id, in order. */
  placesOf(table: string): Statement
  /** Values: component type, component id, field. Returns the entity that has it there. */
  holderOf(table: string): Statement
  /** Values: entity, component id, component type, field, place. */
  insertPlace(table: string): Statement
  /** Values: place, component type, component id. */
  movePlace(table: string): Statement
  /** Values: component type, component id. */
  deletePlace(table: string): Statement
}

type Sql = RawBuilder<unknown>

/** Makes a statement at its first use and keeps it under its key. */
export type Keep = (key: string, returns: boolean, make: () => Sql) => Statement

export function createLinkStatements(dialect: Dialect, keep: Keep): LinkStatements {
  const ref = (name: string): Sql => sql.ref(name)
  const integer = dialect.bind('integer', sql`${null}`)
  const text = dialect.bind('text', sql`${null}`)
  /** The key of a side's view of its table. */
  const viewOf = (links: Links): string => `${links.near} ${links.type ?? ''}`
  const ofType = (links: Links): Sql =>
    links.type === undefined ? sql`` : sql` and ${ref('target_type')} = ${sql.lit(links.type)}`
  const target = sql`${ref('target_type')} = ${text} and ${ref('target_id')} = ${integer}`

  return {
    linksFrom(links) {
      return keep(`links ${links.table} ${viewOf(links)}`, true, () => {
        const order = links.order === undefined ? sql`` : sql` order by ${ref(links.order)}, ${ref('id')}`
        return sql`select ${ref(links.far)} from ${sql.table(links.table)} where ${ref(links.near)} = ${integer}${ofType(links)}${order}`
      })
    },
    lastFarOrder(links) {
      return keep(`last ${links.table} ${links.far}`, true, () => {
        const order = links.farOrder ?? 'id'
        return sql`select max(${ref(order)}) from ${sql.table(links.table)} where ${ref(links.far)} = ${integer}`
      })
    },
    insertLink(links) {
      return keep(`link ${links.table} ${viewOf(links)}`, false, () => {
        const names: string[] = [links.near, links.far, links.order, links.farOrder].filter(
          (name) => name !== undefined,
        )
        const values = names.map(() => integer)
        if (links.type !== undefined) {
          names.push('target_type')
          values.push(sql`${sql.lit(links.type)}`)
        }
        return sql`insert into ${sql.table(links.table)} (${sql.join(names.map(ref))}) values (${sql.join(values)})`
      })
    },
    moveLink(links) {
      return keep(`move ${links.table} ${viewOf(links)}`, false, () => {
        const order = links.order ?? 'id'
        return sql`update ${sql.table(links.table)} set ${ref(order)} = ${integer} where ${ref(links.near)} = ${integer} and ${ref(links.far)} = ${integer}${ofType(links)}`
      })
    },
    deleteLink(links) {
      return keep(
        `unlink ${links.table} ${viewOf(links)}`,
        false,
        () =>
          sql`delete from ${sql.table(links.table)} where ${ref(links.near)} = ${integer} and ${ref(links.far)} = ${integer}${ofType(links)}`,
      )
    },
    releaseFar(links) {
      return keep(
        `release ${links.table} ${links.far}`,
        false,
        () => sql`delete from ${sql.table(links.table)} where ${ref(links.far)} = ${integer}`,
      )
    },
    morphsFrom(name) {
      return keep(
        `morphs ${name}`,
        true,
        () =>
          sql`select ${ref('target_type')}, ${ref('target_id')} from ${sql.table(name)} where ${ref('source_id')} = ${integer} order by ${ref('target_order')}, ${ref('id')}`,
      )
    },
    lastMorphOrder(name) {
      return keep(
        `last-morph ${name}`,
        true,
        () => sql`select max(${ref('source_order')}) from ${sql.table(name)} where ${target}`,
      )
    },
    insertMorph(name) {
      const names = ['source_id', 'target_type', 'target_id', 'target_order', 'source_order'].map(ref)
      return keep(
        `morph ${name}`,
        false,
        () =>
          sql`insert into ${sql.table(name)} (${sql.join(names)}) values (${sql.join([integer, text, integer, integer, integer])})`,
      )
    },
    moveMorph(name) {
      return keep(
        `move-morph ${name}`,
        false,
        () =>
          sql`update ${sql.table(name)} set ${ref('target_order')} = ${integer} where ${ref('source_id')} = ${integer} and ${target}`,
      )
    },
    deleteMorph(name) {
      return keep(
        `unmorph ${name}`,
        false,
        () => sql`delete from ${sql.table(name)} where ${ref('source_id')} = ${integer} and ${target}`,
      )
    },
    releaseMorph(name) {
      return keep(`release-morph ${name}`, false, () => sql`delete from ${sql.table(name)} where ${target}`)
    },
    placesOf(name) {
      return keep(
        `places ${name}`,
        true,
        () =>
          sql`select ${ref('component_type')}, ${ref('component_id')} from ${sql.table(name)} where ${ref('entity_id')} = ${integer} and ${ref('field')} = ${text} order by ${ref('place')}, ${ref('id')}`,
      )
    },
    holderOf(name) {
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
