// The statements that turn rows into drafts or back, many rows at once. A copied row's id is the original's
// id plus the `offset` of its table.

import { type RawBuilder, sql } from 'kysely'
import type { ContentType } from '../../../model/content-type.ts'
import type { Dialect } from '../dialect.ts'
import type { Links } from '../join-tables.ts'
import { createCompiler, returning, storedTable, type TableSource } from '../kysely-compiler.ts'
import { type Statement, statement } from '../statement.ts'

type Sql = RawBuilder<unknown>

export type Ids = Sql

interface CopiedRows {
  readonly ids: Ids
  readonly offset: number
}

export interface ComponentPlaces {
  readonly table: string
  readonly field: string
  readonly component: string
}

export type DraftStatements = ReturnType<typeof createDraftStatements>

export function createDraftStatements(dialect: Dialect) {
  const compile = createCompiler(dialect)
  const rows = (fragment: Sql): Statement => statement(compile(fragment).text, true)
  const none = (fragment: Sql): Statement => statement(compile(fragment).text, false)
  const given = (name: string, insert: Sql): Statement =>
    statement(compile(returning(dialect, insert, dialect.givenId(name))).text, 'inserted')
  const ref = (name: string): Sql => sql.ref(name)
  const table = (name: string): Sql => sql.table(name)
  const isDraft = (alias: string): Sql => sql`${ref(`${alias}.published_at`)} is null`
  const plus = (column: string, offset: number | undefined): Sql =>
    offset === undefined ? ref(column) : sql`${ref(column)} + ${sql.lit(offset)}`
  const only = ({ type }: Links): Sql =>
    type === undefined ? sql`` : sql` and ${ref('target_type')} = ${sql.lit(type)}`
  const placed = ({ table: name, field, component }: ComponentPlaces, schemas: Ids): Sql =>
    sql`from ${table(name)} where ${ref('component_type')} = ${sql.lit(component)} and ${ref('field')} = ${sql.lit(field)} and ${ref('entity_id')} in (${schemas})`
  const inserted = (name: string, columns: readonly string[], values: readonly Sql[], rest: Sql): Sql =>
    sql`insert into ${table(name)} (${sql.join(columns.map(ref))}) select ${sql.join(values)} ${rest}`

  return {
    countUnpublished: (type: ContentType, from: TableSource) =>
      rows(sql`select count(*) from ${from(type.collectionName)} as ${ref('own')} where ${isDraft('own')}`),
    /** One row: drafts, those with a published version, and those that were changed since its publication. */
    countVersions(type: ContentType, from: TableSource) {
      const source = from(type.collectionName)
      const changed = sql`case when ${ref('draft.updated_at')} > ${ref('public.updated_at')} then 1 end`
      return rows(
        sql`select count(*), count(${ref('public.id')}), count(${changed}) from ${source} as ${ref('draft')} left join ${source} as ${ref('public')} on ${alike(type, 'draft', 'public')} and ${ref('public.published_at')} is not null where ${isDraft('draft')}`,
      )
    },
    countWithoutDraft: (type: ContentType, from: TableSource) =>
      rows(
        sql`select count(*) from ${from(type.collectionName)} as ${ref('own')} where ${lacksDraft(type, from)}`,
      ),
    /** One row: entries, and published ones, or none of them where no column says so. */
    countEntries(type: ContentType, from: TableSource) {
      const published = type.publishedAt === undefined ? sql`0` : sql`count(${ref(type.publishedAt.column)})`
      return rows(sql`select count(*), ${published} from ${from(type.collectionName)} as ${ref('own')}`)
    },
    unpublished: (type: ContentType) => rows(sql`${drafts(type)} order by ${ref('id')}`),
    unpublishedAlone: (type: ContentType) => rows(sql`${draftsAlone(type)} order by ${ref('own.id')}`),
    publishAll: (type: ContentType, column: 'created_at' | 'updated_at') =>
      none(
        sql`update ${table(type.collectionName)} set ${ref('published_at')} = ${ref(column)} where ${ref('published_at')} is null`,
      ),
    lastId: (name: string) => rows(sql`select coalesce(max(${ref('id')}), 0) from ${table(name)}`),
    /** Gives each published row without a draft one. */
    insertDrafts(type: ContentType, columns: readonly string[], offset: number) {
      const values = columns.map((name) =>
        name === 'published_at' ? dialect.bind('datetime', sql`null`) : ref(`own.${name}`),
      )
      const name = type.collectionName
      const lacking = sql`from ${table(name)} as ${ref('own')} where ${lacksDraft(type, storedTable)}`
      return given(name, inserted(name, ['id', ...columns], [plus('own.id', offset), ...values], lacking))
    },
    insertComponents(
      name: string,
      columns: readonly string[],
      { places, schemas, offset }: { places: ComponentPlaces; schemas: Ids; offset: number },
    ) {
      const copied = sql`from ${table(name)} where ${ref('id')} in (select ${ref('component_id')} ${placed(places, schemas)})`
      return given(
        name,
        inserted(name, ['id', ...columns], [plus('id', offset), ...columns.map(ref)], copied),
      )
    },
    insertPlaces(places: ComponentPlaces, { ids, offset }: CopiedRows, componentOffset: number) {
      const columns = ['entity_id', 'component_id', 'component_type', 'field', 'place']
      const [, , ...same] = columns
      return none(
        inserted(
          places.table,
          columns,
          [plus('entity_id', offset), plus('component_id', componentOffset), ...same.map(ref)],
          placed(places, ids),
        ),
      )
    },
    /** Links the copies of own rows, of other rows, or of both, as offsets are given. */
    copyLinks(links: Links, own: Offset, other: Offset) {
      const { columns, condition } = linked(links, own, other)
      const values = columns.map((name) =>
        name === links.ownColumn
          ? plus(name, own.offset)
          : name === links.otherColumn
            ? plus(name, other.offset)
            : ref(name),
      )
      return none(
        inserted(
          links.table,
          columns,
          values,
          sql`from ${table(links.table)} where ${condition}${only(links)}`,
        ),
      )
    },
    /** Moves links to the copies. */
    moveLinks(links: Links, own: Offset, other: Offset) {
      const { condition } = linked(links, own, other)
      const [side, { offset }] =
        own.offset === undefined ? [links.otherColumn, other] : [links.ownColumn, own]
      return none(
        sql`update ${table(links.table)} set ${ref(side)} = ${plus(side, offset)} where ${condition}${only(links)}`,
      )
    },
    /** Moves links from drafts to their published rows, unless these have the link already. */
    moveToPublished(type: ContentType, links: Links, others: Ids | undefined) {
      const name = type.collectionName
      const other = (value: Sql): Sql =>
        sql`select ${ref('other.id')} from ${table(name)} as ${ref('own')} join ${table(name)} as ${ref('other')} on ${alike(type, 'own', 'other')} where ${ref('own.id')} = ${value} and ${isDraft('own')} and ${ref('other.published_at')} is not null`
      const ownColumn = ref(`${links.table}.${links.ownColumn}`)
      const otherColumn = ref(`${links.table}.${links.otherColumn}`)
      const sameType =
        links.type === undefined ? sql`` : sql` and ${ref('same.target_type')} = ${sql.lit(links.type)}`
      const limited = others === undefined ? sql`` : sql` and ${otherColumn} in (${others})`
      return none(
        sql`update ${table(links.table)} set ${ref(links.ownColumn)} = (${other(ownColumn)}) where exists (${other(ownColumn)})${limited}${only(links)} and not exists (select 1 from ${table(links.table)} as ${ref('same')} where ${ref(`same.${links.otherColumn}`)} = ${otherColumn} and ${ref(`same.${links.ownColumn}`)} = (${other(ownColumn)})${sameType})`,
      )
    },
    /** Also links own rows to the drafts of their published targets, at the same position. */
    linkDrafts(type: ContentType, links: Links, owners: Ids, exclusive: boolean) {
      const name = type.collectionName
      const orders = [links.order, links.otherOrder].filter((one) => one !== undefined)
      const kind = links.type === undefined ? [] : ['target_type']
      const taken = exclusive
        ? sql``
        : sql` and ${ref(`same.${links.ownColumn}`)} = ${ref(`own.${links.ownColumn}`)}`
      const sameType =
        links.type === undefined ? sql`` : sql` and ${ref('same.target_type')} = ${sql.lit(links.type)}`
      const ownType =
        links.type === undefined ? sql`` : sql` and ${ref('own.target_type')} = ${sql.lit(links.type)}`
      return none(
        inserted(
          links.table,
          [links.ownColumn, links.otherColumn, ...orders, ...kind],
          [
            ref(`own.${links.ownColumn}`),
            ref('draft.id'),
            ...[...orders, ...kind].map((one) => ref(`own.${one}`)),
          ],
          sql`from ${table(links.table)} as ${ref('own')} join ${table(name)} as ${ref('public')} on ${ref('public.id')} = ${ref(`own.${links.otherColumn}`)} and ${ref('public.published_at')} is not null join ${table(name)} as ${ref('draft')} on ${alike(type, 'public', 'draft')} and ${isDraft('draft')} where ${ref(`own.${links.ownColumn}`)} in (${owners})${ownType} and not exists (select 1 from ${table(links.table)} as ${ref('same')} where ${ref(`same.${links.otherColumn}`)} = ${ref('draft.id')}${taken}${sameType})`,
        ),
      )
    },
  }
}

export interface Offset {
  /** Undefined: all rows. */
  readonly ids?: Ids | undefined
  readonly offset?: number | undefined
}

function linked({ ownColumn, otherColumn, order, otherOrder, type }: Links, own: Offset, other: Offset) {
  const columns = [ownColumn, otherColumn, ...[order, otherOrder].filter((one) => one !== undefined)]
  if (type !== undefined) columns.push('target_type' as typeof ownColumn)
  const within = (column: string, { ids }: Offset): Sql =>
    ids === undefined ? sql`true` : sql`${sql.ref(column)} in (${ids})`
  return {
    columns: columns as readonly string[],
    condition: sql`${within(ownColumn, own)} and ${within(otherColumn, other)}`,
  }
}

export function drafts({ collectionName }: ContentType, from: TableSource = storedTable): Ids {
  return sql`select ${sql.ref('draft.id')} from ${from(collectionName)} as ${sql.ref('draft')} where ${sql.ref('draft.published_at')} is null`
}

export function draftsAlone(type: ContentType): Ids {
  return listDrafts(type, storedTable, false)
}

export function draftsBesidePublished(type: ContentType, from: TableSource): Ids {
  return listDrafts(type, from, true)
}

export function publishedBesideDrafts(type: ContentType, from: TableSource): Ids {
  return sql`select ${sql.ref('other.id')} from ${from(type.collectionName)} as ${sql.ref('own')} join ${from(type.collectionName)} as ${sql.ref('other')} on ${isPublishedVersion(type)} where ${sql.ref('own.published_at')} is null`
}

function listDrafts(type: ContentType, from: TableSource, isPublished: boolean): Ids {
  const source = from(type.collectionName)
  const published = sql`select 1 from ${source} as ${sql.ref('other')} where ${isPublishedVersion(type)}`
  return sql`select ${sql.ref('own.id')} from ${source} as ${sql.ref('own')} where ${sql.ref('own.published_at')} is null and ${sql.raw(isPublished ? '' : 'not ')}exists (${published})`
}

/** Of the alias `other`, for the alias `own`. */
function isPublishedVersion(type: ContentType): Sql {
  return sql`${alike(type, 'own', 'other')} and ${sql.ref('other.published_at')} is not null`
}

/** The condition for published rows, of the alias `own`. */
function lacksDraft(type: ContentType, from: TableSource): Sql {
  return sql`${sql.ref('own.published_at')} is not null and not exists (select 1 from ${from(type.collectionName)} as ${sql.ref('other')} where ${alike(type, 'own', 'other')} and ${sql.ref('other.published_at')} is null)`
}

/** PostgreSQL would compare each row with each id of `not in` once they are more than its memory for a statement holds. */
export function isAnyBut(column: string, all: Sql, ids: Ids): Sql {
  return sql`${sql.ref(column)} in (select ${sql.ref('any.id')} from ${all} as ${sql.ref('any')} except ${ids})`
}

export function published({ collectionName }: ContentType): Ids {
  return sql`select ${sql.ref('id')} from ${sql.table(collectionName)} where ${sql.ref('published_at')} is not null`
}

export function everyRow({ collectionName }: ContentType): Ids {
  return sql`select ${sql.ref('id')} from ${sql.table(collectionName)}`
}

export function copiedRows({ collectionName }: ContentType, offset: number): Ids {
  return sql`select ${sql.ref('id')} - ${sql.lit(offset)} from ${sql.table(collectionName)} where ${sql.ref('id')} > ${sql.lit(offset)}`
}

export function componentsIn(
  { table, field, component }: ComponentPlaces,
  schemas: Ids,
  from: TableSource,
): Ids {
  return sql`select ${sql.ref('component_id')} from ${from(table)} as ${sql.ref('placed')} where ${sql.ref('component_type')} = ${sql.lit(component)} and ${sql.ref('field')} = ${sql.lit(field)} and ${sql.ref('entity_id')} in (${schemas})`
}

export function alike({ document, locale }: ContentType, one: string, other: string): Sql {
  const columns = [document?.documentId, locale].filter((column) => column !== undefined)
  return sql.join(
    columns.map(({ column }) => sql`${sql.ref(`${one}.${column}`)} = ${sql.ref(`${other}.${column}`)}`),
    sql` and `,
  )
}
