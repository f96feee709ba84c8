// Compiles the join from a row to the rows of one of its members: through the join table of a relation, or through the
// table of component places.

import { type RawBuilder, sql } from 'kysely'
import { invariant } from '../errors/invariant.ts'
import type {
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
} from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Compilation } from './compilation.ts'

export type Member = RelationAttribute | MediaAttribute | ComponentAttribute

export interface MemberTables {
  readonly from: RawBuilder<unknown>
  /** The column that holds the parent's id. */
  readonly parent: RawBuilder<unknown>
  /** ` and …`: further conditions that select this member's rows; may be empty. */
  readonly only: RawBuilder<unknown>
  /** The column with the member's id, in the same table as `parent`: an index may return rows in its order. */
  readonly id: RawBuilder<unknown>
  /** The stored order within one parent; undefined where there is at most one. */
  readonly order: RawBuilder<unknown> | undefined
}

/** The join table and the member's own table, as alias `inner`. */
export function memberTables(compilation: Compilation, member: Member, inner: string): MemberTables {
  if (member.kind === 'component') return placedTables(compilation, member, member.component, inner)
  const { target } = member
  invariant(target !== undefined, `${member.name} has no one target`)
  const links = compilation.layout.linksOf(member)
  const link = compilation.alias()
  return {
    from: sql`${sql.table(links.table)} as ${sql.ref(link)} join ${sql.table(target.collectionName)} as ${sql.ref(inner)} on ${sql.ref(`${inner}.id`)} = ${sql.ref(`${link}.${links.far}`)}`,
    parent: sql.ref(`${link}.${links.near}`),
    id: sql.ref(`${link}.${links.far}`),
    only:
      links.type === undefined ? sql`` : sql` and ${sql.ref(`${link}.target_type`)} = ${sql.lit(links.type)}`,
    order: links.order === undefined ? undefined : sql.ref(`${link}.${links.order}`),
  }
}

/** The entries of one content-type that a morphToOne or morphToMany points at. */
export function morphTables(
  compilation: Compilation,
  member: RelationAttribute,
  type: ContentType,
  inner: string,
): MemberTables {
  const link = compilation.alias()
  const table = compilation.layout.morphsOf(member)
  return {
    from: sql`${sql.table(table)} as ${sql.ref(link)} join ${sql.table(type.collectionName)} as ${sql.ref(inner)} on ${sql.ref(`${inner}.id`)} = ${sql.ref(`${link}.target_id`)}`,
    parent: sql.ref(`${link}.source_id`),
    id: sql.ref(`${link}.target_id`),
    only: sql` and ${sql.ref(`${link}.target_type`)} = ${sql.lit(type.uid)}`,
    order: sql.ref(`${link}.target_order`),
  }
}

/** The entries of one content-type that show a file by a media attribute; ordered by the file's place in the list. */
export function showingTables(
  compilation: Compilation,
  member: MediaAttribute,
  type: ContentType,
  inner: string,
): MemberTables {
  const link = compilation.alias()
  const links = compilation.layout.linksOf(member)
  return {
    from: sql`${sql.table(links.table)} as ${sql.ref(link)} join ${sql.table(type.collectionName)} as ${sql.ref(inner)} on ${sql.ref(`${inner}.id`)} = ${sql.ref(`${link}.${links.near}`)}`,
    parent: sql.ref(`${link}.${links.far}`),
    id: sql.ref(`${link}.${links.near}`),
    only: sql``,
    order: links.order === undefined ? sql.lit(1) : sql.ref(`${link}.${links.order}`),
  }
}

/** The rows of one component type placed at `field` of a holder. */
export function placedTables(
  compilation: Compilation,
  member: ComponentAttribute | DynamicZoneAttribute,
  component: { readonly uid: string; readonly collectionName: string },
  inner: string,
): MemberTables {
  const place = compilation.alias()
  const places = compilation.layout.placesOf(member)
  return {
    from: sql`${sql.table(places)} as ${sql.ref(place)} join ${sql.table(component.collectionName)} as ${sql.ref(inner)} on ${sql.ref(`${inner}.id`)} = ${sql.ref(`${place}.component_id`)}`,
    parent: sql.ref(`${place}.entity_id`),
    id: sql.ref(`${place}.component_id`),
    // These names come from the model, not from a request; Kysely still quotes them as literals of the dialect.
    only: sql` and ${sql.ref(`${place}.field`)} = ${sql.lit(member.name)} and ${sql.ref(`${place}.component_type`)} = ${sql.lit(component.uid)}`,
    order: sql.ref(`${place}.place`),
  }
}
