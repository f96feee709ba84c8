// The statements for rows of documents: their versions, locales and links.

import { type RawBuilder, sql } from 'kysely'
import type { SameDocument, ScalarAttribute } from '../../model/attribute.ts'
import type { Component, ContentType, DocumentAttributes } from '../../model/content-type.ts'
import { getColumnType } from './build-layout.ts'
import type { Keep } from './compile-link-write.ts'
import type { Dialect } from './dialect.ts'
import type { Links } from './join-tables.ts'
import type { Statement } from './statement.ts'

export type Version = 'draft' | 'published'

export interface DocumentStatements {
  /** Values: a list of documentIds. Returns documentId, id, publishedAt and locale (null without locales), by id. */
  rowsOfDocuments(type: ContentType): Statement
  /** Values: a list of ids. Returns id, documentId, publishedAt and locale. */
  getDocuments(type: ContentType): Statement
  /** Values: a list of ids. Returns each id with the id of the same document and locale in the version. */
  counterparts(type: ContentType, version: Version): Statement
  /** Values: id. Returns the ids of the same version in other locales, by id. */
  otherLocales(type: ContentType): Statement
  /** Values: id, an id to exclude. Returns the id of a published row with the row's values in the columns. */
  publishedWithValues(type: ContentType, columns: readonly string[]): Statement
  /**
   * Values: id of a component, an id to exclude, id of a row. Returns the id of a published row, in that
   * row's locale, with the component's value at the same path.
   */
  publishedWithComponent(type: ContentType, places: readonly ComponentStep[], column: string): Statement
  /**
   * Values: a value, an id to exclude; with locales also that id again and a locale, which is used if no row
   * has the id. Returns the id of a row in that locale with the value at the path.
   */
  withComponentValue(
    type: ContentType,
    places: readonly ComponentStep[],
    attribute: ScalarAttribute,
  ): Statement
  /** Returns id, documentId, publishedAt and locale, by id. */
  everyDocument(type: ContentType): Statement
  /** Returns each draft with its published row, and whether (1 or 0) it was changed since publication. */
  versionPairs(type: ContentType): Statement
  /** For types without versions: sets publishedAt to the time of the last write. */
  stampAll(type: ContentType): Statement
  /** Values: own id. Returns other ids with both orders (or null), in their order. */
  linkRows(links: Links): Statement
  /** Values: a new own id, the former one. */
  moveLinks(links: Links): Statement
  /** Values: own id, other id, then the view's orders: of the other entries, of the own entries. */
  insertLinkRow(links: Links): Statement
}

export interface ComponentStep {
  readonly table: string
  readonly field: string
  readonly component: Component
}

type Sql = RawBuilder<unknown>

export function createDocumentStatements(dialect: Dialect, keep: Keep): DocumentStatements {
  const ref = (name: string): Sql => sql.ref(name)
  const integer = dialect.bind('integer', sql`${null}`)
  const listed = (column: Sql): Sql => dialect.inList('id', column, sql`${null}`)
  const shown = (type: ContentType): Sql =>
    sql`${ref('id')}, ${ref(getDocument(type).documentId.column)}, ${ref('published_at')}, ${type.locale === undefined ? sql`null` : ref(type.locale.column)}`
  const alike = (type: ContentType, one: string, other: string): Sql => {
    const columns = [getDocument(type).documentId, type.locale].filter((column) => column !== undefined)
    return sql.join(
      columns.map(({ column }) => sql`${ref(`${one}.${column}`)} = ${ref(`${other}.${column}`)}`),
      sql` and `,
    )
  }

  return {
    rowsOfDocuments(type) {
      const { column } = getDocument(type).documentId
      return keep(`document ${type.collectionName}`, true, () => {
        const named = dialect.inList('text', ref(column), sql`${null}`)
        return sql`select ${ref(column)}, ${shown(type)} from ${sql.table(type.collectionName)} where ${named} order by ${ref('id')}`
      })
    },
    getDocuments(type) {
      return keep(
        `documents-of ${type.collectionName}`,
        true,
        () =>
          sql`select ${shown(type)} from ${sql.table(type.collectionName)} where ${listed(ref('id'))} order by ${ref('id')}`,
      )
    },
    everyDocument(type) {
      return keep(
        `every-document ${type.collectionName}`,
        true,
        () => sql`select ${shown(type)} from ${sql.table(type.collectionName)} order by ${ref('id')}`,
      )
    },
    versionPairs(type) {
      return keep(`version-pairs ${type.collectionName}`, true, () => {
        const table = sql.table(type.collectionName)
        const changed = sql`case when ${ref('draft.updated_at')} > ${ref('public.updated_at')} then 1 else 0 end`
        return sql`select ${ref('draft.id')}, ${ref('public.id')}, ${changed} from ${table} as ${ref('draft')} join ${table} as ${ref('public')} on ${alike(type, 'draft', 'public')} where ${ref('draft.published_at')} is null and ${ref('public.published_at')} is not null order by ${ref('draft.id')}`
      })
    },
    stampAll(type) {
      return keep(
        `stamp-all ${type.collectionName}`,
        false,
        () => sql`update ${sql.table(type.collectionName)} set ${ref('published_at')} = ${ref('updated_at')}`,
      )
    },
    // While a document is published again it has two published rows; the last one counts.
    counterparts(type, version) {
      return keep(`counterparts ${version} ${type.collectionName}`, true, () => {
        const table = sql.table(type.collectionName)
        const state =
          version === 'draft'
            ? sql`${ref('other.published_at')} is null`
            : sql`${ref('other.published_at')} is not null`
        return sql`select ${ref('own.id')}, ${ref('other.id')} from ${table} as ${ref('own')} join ${table} as ${ref('other')} on ${alike(type, 'own', 'other')} where ${listed(ref('own.id'))} and ${state} order by ${ref('other.id')}`
      })
    },
    otherLocales(type) {
      return keep(`other-locales ${type.collectionName}`, true, () => {
        const table = sql.table(type.collectionName)
        const { column } = getDocument(type).documentId
        return sql`select ${ref('other.id')} from ${table} as ${ref('own')} join ${table} as ${ref('other')} on ${isSameDocument('own', 'other', column)} where ${ref('own.id')} = ${integer} order by ${ref('other.id')}`
      })
    },
    publishedWithValues(type, columns) {
      return keep(`published-with ${type.collectionName} ${columns.join()}`, true, () => {
        const table = sql.table(type.collectionName)
        const compared = type.locale === undefined ? columns : [...columns, type.locale.column]
        const equal = sql.join(
          compared.map((column) => sql`${ref(`own.${column}`)} = ${ref(`other.${column}`)}`),
          sql` and `,
        )
        return sql`select ${ref('other.id')} from ${table} as ${ref('own')} join ${table} as ${ref('other')} on ${equal} where ${ref('own.id')} = ${integer} and ${ref('other.id')} <> ${integer} and ${ref('other.published_at')} is not null limit 1`
      })
    },
    publishedWithComponent(type, places, column) {
      const where = places.map(({ table, field, component }) => [table, field, component.uid])
      return keep(
        `published-with-component ${type.collectionName} ${column} ${JSON.stringify(where)}`,
        true,
        () => compilePublishedWithComponent(type, places, column, integer),
      )
    },
    withComponentValue(type, places, attribute) {
      const where = places.map(({ table, field, component }) => [table, field, component.uid])
      return keep(
        `with-component ${type.collectionName} ${attribute.column} ${JSON.stringify(where)}`,
        true,
        () => {
          const { components, joins, schema } = joinedUp(places)
          const rows = sql.table(type.collectionName)
          const stored =
            type.locale === undefined
              ? undefined
              : sql`(select ${ref(type.locale.column)} from ${rows} where ${ref('id')} = ${integer})`
          const within =
            type.locale === undefined
              ? sql``
              : sql` and ${ref(`other.${type.locale.column}`)} = coalesce(${stored}, ${dialect.bind('text', sql`${null}`)})`
          const value = dialect.bind(getColumnType(attribute), sql`${null}`)
          return sql`select ${ref('other.id')} from ${components} as ${ref('same')} ${joins} join ${rows} as ${ref('other')} on ${ref('other.id')} = ${ref(schema)} where ${ref(`same.${attribute.column}`)} = ${value} and ${ref('other.id')} <> ${integer}${within} limit 1`
        },
      )
    },
    linkRows(links) {
      return keep(`link-rows ${links.table} ${links.ownColumn} ${links.type ?? ''}`, true, () => {
        const orders = [links.order, links.otherOrder].map((order) =>
          order === undefined ? sql`null` : ref(order),
        )
        const only =
          links.type === undefined ? sql`` : sql` and ${ref('target_type')} = ${sql.lit(links.type)}`
        const order = links.order === undefined ? ref('id') : sql`${ref(links.order)}, ${ref('id')}`
        return sql`select ${ref(links.otherColumn)}, ${sql.join(orders)} from ${sql.table(links.table)} where ${ref(links.ownColumn)} = ${integer}${only} order by ${order}`
      })
    },
    moveLinks(links) {
      return keep(`move-links ${links.table} ${links.ownColumn} ${links.type ?? ''}`, false, () => {
        const only =
          links.type === undefined ? sql`` : sql` and ${ref('target_type')} = ${sql.lit(links.type)}`
        return sql`update ${sql.table(links.table)} set ${ref(links.ownColumn)} = ${integer} where ${ref(links.ownColumn)} = ${integer}${only}`
      })
    },
    insertLinkRow(links) {
      return keep(`link-row ${links.table} ${links.ownColumn} ${links.type ?? ''}`, false, () => {
        const columns: [string, Sql][] = [
          [links.ownColumn, integer],
          [links.otherColumn, integer],
        ]
        for (const order of [links.order, links.otherOrder])
          if (order !== undefined) columns.push([order, integer])
        if (links.type !== undefined) columns.push(['target_type', sql.lit(links.type)])
        const names = sql.join(columns.map(([name]) => ref(name)))
        const values = sql.join(columns.map(([, value]) => value))
        return sql`insert into ${sql.table(links.table)} (${names}) values (${values})`
      })
    },
  }
}

function joinedUp(places: readonly ComponentStep[]): { components: Sql; joins: Sql; schema: string } {
  const ref = (name: string): Sql => sql.ref(name)
  const innermost = places.at(-1)
  if (innermost === undefined) throw new TypeError('a component has a place')
  let schema = 'same.id'
  const joins: Sql[] = []
  for (const [index, { table, field, component }] of [...places.entries()].reverse()) {
    const place = `place_${index}`
    joins.push(
      sql`join ${sql.table(table)} as ${ref(place)} on ${ref(`${place}.component_type`)} = ${sql.lit(component.uid)} and ${ref(`${place}.component_id`)} = ${ref(schema)} and ${ref(`${place}.field`)} = ${sql.lit(field)}`,
    )
    schema = `${place}.entity_id`
  }
  return { components: sql.table(innermost.component.collectionName), joins: sql.join(joins, sql` `), schema }
}

function compilePublishedWithComponent(
  type: ContentType,
  places: readonly ComponentStep[],
  column: string,
  integer: Sql,
): Sql {
  const ref = (name: string): Sql => sql.ref(name)
  const { components, joins, schema } = joinedUp(places)
  const rows = sql.table(type.collectionName)
  const inLocale =
    type.locale === undefined
      ? sql``
      : sql` and ${ref(`mine.${type.locale.column}`)} = ${ref(`other.${type.locale.column}`)}`
  return sql`select ${ref('other.id')} from ${components} as ${ref('own')} join ${components} as ${ref('same')} on ${ref(`same.${column}`)} = ${ref(`own.${column}`)} ${joins} join ${rows} as ${ref('other')} on ${ref('other.id')} = ${ref(schema)} join ${rows} as ${ref('mine')} on true${inLocale} where ${ref('own.id')} = ${integer} and ${ref('other.id')} <> ${integer} and ${ref('mine.id')} = ${integer} and ${ref('other.published_at')} is not null limit 1`
}

function isSameDocument(own: string, other: string, documentId: string): Sql {
  return joinRows(own, other, documentId, undefined, 'locales')
}

export function joinRows(
  own: string,
  other: string,
  documentId: string,
  locale: string | undefined,
  which: SameDocument,
): Sql {
  const column = (alias: string, name: string): Sql => sql.ref(`${alias}.${name}`)
  const isDraft = (alias: string): Sql => sql`(${column(alias, 'published_at')} is null)`
  const equal = (name: string): Sql => sql`${column(other, name)} = ${column(own, name)}`
  const newer = (draft: string, published: string): Sql =>
    sql`(${column(draft, 'published_at')} is null and ${column(draft, 'updated_at')} > ${column(published, 'updated_at')})`
  const conditions = [equal(documentId)]
  if (which === 'locales')
    conditions.push(
      sql`${column(other, 'id')} <> ${column(own, 'id')}`,
      sql`${isDraft(other)} = ${isDraft(own)}`,
    )
  else if (which === 'published') conditions.push(sql`${column(other, 'published_at')} is not null`)
  else {
    if (locale !== undefined) conditions.push(equal(locale))
    conditions.push(sql`${isDraft(other)} <> ${isDraft(own)}`)
    if (which === 'modified') conditions.push(sql`(${newer(own, other)} or ${newer(other, own)})`)
  }
  return sql.join(conditions, sql` and `)
}

function getDocument(type: ContentType): DocumentAttributes {
  if (type.document === undefined) throw new TypeError(`${type.uid} has no documents`)
  return type.document
}
