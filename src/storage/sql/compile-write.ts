// The statements of writes: one text for each table and set of columns, compiled once and cached.

import { type RawBuilder, sql } from 'kysely'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { cacheBudgets } from '../../lib/cache-budgets.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { isContentType } from '../../plan/find-attribute.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { ValueChange } from '../../plan/write/write-plan.ts'
import { getColumnType } from './build-layout.ts'
import { compileChange, encodeChange } from './compile-change.ts'
import { createDocumentStatements, type DocumentStatements } from './compile-document-write.ts'
import { createLinkStatements, type Keep, type LinkStatements } from './compile-link-write.ts'
import { compileNextSuffix } from './compile-next-suffix.ts'
import { compileTogether } from './compile-together.ts'
import type { Dialect } from './dialect.ts'
import type { Links } from './join-tables.ts'
import { createCompiler, returning } from './kysely-compiler.ts'
import type { ColumnType, Together } from './layout.ts'
import { type SqlValue, type Statement, statement } from './statement.ts'

export interface WriteStatements extends LinkStatements, DocumentStatements {
  /** Values: the columns' in order. Returns the new id. */
  insertRow(schema: Schema, columns: readonly ScalarAttribute[]): Statement
  /**
   * Values: the columns' in order, then those of `encodeChange`, then the id. Returns the id when the row exists. `others`:
   * the changed attributes without a column, noted under the new version with the columns; undefined for rows without versions.
   */
  updateRow(
    schema: Schema,
    columns: readonly ScalarAttribute[],
    changes?: ReadonlyMap<ScalarAttribute, ValueChange>,
    others?: readonly string[],
  ): Statement
  /** Values: a list of ids. Gives the entries a new version, because the attributes changed from the other side. */
  touchRows(type: ContentType, names: readonly string[]): Statement
  /** Values: a list of ids of other entries. Gives the entries that are linked to them a new version. */
  touchOwners(owner: ContentType, name: string, links: Links): Statement
  /** Values: id. Undefined where only one transaction runs at a time. */
  lockRow(schema: Schema): Statement | undefined
  /** Values: the id to copy from, the id to copy to. */
  copyColumns(schema: Schema, columns: readonly ScalarAttribute[]): Statement
  /** Values: id. Inserts a row with the same values in the columns (at least one). Returns its id. */
  copyRow(schema: Schema, columns: readonly ScalarAttribute[]): Statement
  /** Values: id. Returns the id when the row existed. */
  deleteRow(schema: Schema): Statement
  /** Values: id. Returns id and, for types with drafts, publishedAt. */
  getState(schema: Schema, publishedAt: ScalarAttribute | undefined): Statement
  /** Returns all ids in order: for types that have few entries. */
  everyId(schema: Schema): Statement
  /** Undefined where only one transaction runs at a time. */
  lockTable(schema: Schema): Statement | undefined
  /** Values: a list of ids. Returns those that exist. */
  existing(schema: Schema): Statement
  /** Values: a list of ids. Returns ids and the attribute's values. */
  getValues(schema: Schema, attribute: ScalarAttribute): Statement
  /**
   * Values: an id to exclude; for each attribute its value if it is `given`, otherwise that id again, whose
   * row has the value; with `locale` also that id again and a locale, which is used if no row has the id.
   * Returns an id that has all the values, within the locale.
   */
  withValues(
    schema: Schema,
    attributes: readonly ScalarAttribute[],
    given: ReadonlySet<ScalarAttribute>,
    locale: ScalarAttribute | undefined,
  ): Statement
  /** Values: a list of ids. Returns those that share the set with another row. */
  together(schema: Schema, together: Together): Statement
  /** Values: from `buildNextSuffixValues`. Returns how many rows have the slug, and the first free number. */
  nextSuffix(schema: Schema, attribute: ScalarAttribute, locale: ScalarAttribute | undefined): Statement
  /** Values: the value. Returns the id and the columns (private ones too) of the first row with the value. */
  rowWith(schema: Schema, by: ScalarAttribute, columns: readonly ScalarAttribute[]): Statement
  encode(attribute: ScalarAttribute, value: PlanValue): SqlValue
  encodeChange(attribute: ScalarAttribute, change: ValueChange): readonly SqlValue[]
  encodeIds(ids: readonly number[]): SqlValue
  encodeTexts(texts: readonly string[]): SqlValue
  encodeOrders(orders: ReadonlyMap<number, number>): SqlValue
}

type Sql = RawBuilder<unknown>

const NO_CHANGES: ReadonlyMap<ScalarAttribute, ValueChange> = new Map()

export function createWriteStatements(dialect: Dialect): WriteStatements {
  const compile = createCompiler(dialect)
  const kept = new BoundedCache<Statement>({ name: 'writes', budget: cacheBudgets.writes })
  const keep: Keep = (key, returns, make) => {
    let found = kept.get(key)
    if (found === undefined) {
      found = statement(compile(make()).text, returns)
      kept.set(key, found, 2 * (key.length + found.text.length))
    }
    return found
  }
  const table = (schema: Schema): Sql => sql.table(schema.collectionName)
  const parameter = (type: ColumnType): Sql => dialect.bind(type, sql`${null}`)
  const ref = (name: string): Sql => sql.ref(name)
  const integer = parameter('integer')
  const text = parameter('text')
  const columnsKey = (columns: readonly ScalarAttribute[]): string => columns.map((c) => c.column).join(',')

  const reviseRow = ({ revision: { number, changes } }: ContentType, names: readonly string[]): Sql[] => {
    // The first version of an entry is 1, stored as null.
    const next = sql`(coalesce(${ref(number.column)}, 0) + 1)`
    const noted = dialect.withNumbers(
      ref(changes.column),
      names,
      sql`(coalesce(${ref(number.column)}, 0) + 2)`,
    )
    return [
      sql`${ref(number.column)} = ${next}`,
      ...(names.length === 0 ? [] : [sql`${ref(changes.column)} = ${noted}`]),
    ]
  }

  return {
    insertRow(schema, columns) {
      return keep(`insert ${schema.collectionName} ${columnsKey(columns)}`, 'inserted', () => {
        if (columns.length === 0)
          return returning(dialect, sql`insert into ${table(schema)} ${dialect.noValues}`, ref('id'))
        const names = sql.join(columns.map((column) => ref(column.column)))
        const values = sql.join(columns.map((column) => parameter(getColumnType(column))))
        const given = columns.some((column) => column.name === 'id')
        return returning(
          dialect,
          sql`insert into ${table(schema)} (${names}) values (${values})`,
          given ? dialect.givenId(schema.collectionName) : ref('id'),
        )
      })
    },
    lockRow(schema) {
      const { lock } = dialect
      if (lock === undefined) return undefined
      return keep(
        `lock ${schema.collectionName}`,
        true,
        () => sql`select ${ref('id')} from ${table(schema)} where ${ref('id')} = ${integer} ${lock}`,
      )
    },
    touchRows(type, names) {
      return keep(`touch ${type.collectionName} ${names.join()}`, false, () => {
        const listed = dialect.inList('id', ref('id'), sql`${null}`)
        return sql`update ${table(type)} set ${sql.join(reviseRow(type, names))} where ${listed}`
      })
    },
    touchOwners(owner, name, links) {
      return keep(
        `touch-owners ${owner.collectionName} ${name} ${links.table} ${links.ownColumn}`,
        false,
        () => {
          const listed = dialect.inList('id', ref(links.otherColumn), sql`${null}`)
          const owners = sql`select ${ref(links.ownColumn)} from ${sql.table(links.table)} where ${listed}`
          return sql`update ${table(owner)} set ${sql.join(reviseRow(owner, [name]))} where ${ref('id')} in (${owners})`
        },
      )
    },
    updateRow(schema, columns, changes = NO_CHANGES, others = undefined) {
      const changed = [...changes].map(([{ column }, { operator }]) => ` ${operator} ${column}`).join('')
      const revised = others === undefined ? '' : ` # ${others.join()}`
      const key = `update ${schema.collectionName} ${columnsKey(columns)}${changed}${revised}`
      return keep(key, 'found', () => {
        const sets = [
          ...columns.map((column) => sql`${ref(column.column)} = ${parameter(getColumnType(column))}`),
          ...[...changes].map(([attribute, { operator }]) => {
            // With the table's name: functions that return tables have columns of their own.
            const stored = ref(`${schema.collectionName}.${attribute.column}`)
            const changed = compileChange(dialect, getColumnType(attribute), stored, operator)
            return sql`${ref(attribute.column)} = ${changed}`
          }),
        ]
        if (others !== undefined && isContentType(schema)) {
          const written = [...columns, ...changes.keys()].filter(({ system }) => !system)
          sets.push(...reviseRow(schema, [...new Set([...written.map(({ name }) => name), ...others])]))
        }
        if (sets.length === 0) sets.push(sql`${ref('id')} = ${ref('id')}`)
        const change = sql`update ${table(schema)} set ${sql.join(sets)} where ${ref('id')} = ${integer}`
        return returning(dialect, change, ref('id'))
      })
    },
    copyColumns(schema, columns) {
      return keep(`copy ${schema.collectionName} ${columnsKey(columns)}`, false, () => {
        const names = columns.map(({ column }) => column)
        return dialect.copyColumns(schema.collectionName, names, integer)
      })
    },
    copyRow(schema, columns) {
      return keep(`copy-row ${schema.collectionName} ${columnsKey(columns)}`, 'inserted', () => {
        const names = sql.join(columns.map((column) => ref(column.column)))
        const copy = sql`insert into ${table(schema)} (${names}) select ${names} from ${table(schema)} where ${ref('id')} = ${integer}`
        return returning(dialect, copy, ref('id'))
      })
    },
    deleteRow(schema) {
      return keep(`delete ${schema.collectionName}`, 'found', () =>
        returning(dialect, sql`delete from ${table(schema)} where ${ref('id')} = ${integer}`, ref('id')),
      )
    },
    getState(schema, publishedAt) {
      return keep(`state ${schema.collectionName}`, true, () => {
        const shown = publishedAt === undefined ? sql`` : sql`, ${ref(publishedAt.column)}`
        return sql`select ${ref('id')}${shown} from ${table(schema)} where ${ref('id')} = ${integer}`
      })
    },
    everyId(schema) {
      return keep(
        `every ${schema.collectionName}`,
        true,
        () => sql`select ${ref('id')} from ${table(schema)} order by ${ref('id')}`,
      )
    },
    lockTable(schema) {
      const lock = dialect.lockTable?.(schema.collectionName)
      return lock === undefined ? undefined : keep(`lock-table ${schema.collectionName}`, false, () => lock)
    },
    existing(schema) {
      return keep(`existing ${schema.collectionName}`, true, () => {
        const listed = dialect.inList('id', ref('id'), sql`${null}`)
        return sql`select ${ref('id')} from ${table(schema)} where ${listed}`
      })
    },
    getValues(schema, attribute) {
      return keep(`values-of ${schema.collectionName} ${attribute.column}`, true, () => {
        const listed = dialect.inList('id', ref('id'), sql`${null}`)
        return sql`select ${ref('id')}, ${ref(attribute.column)} from ${table(schema)} where ${listed}`
      })
    },
    withValues(schema, attributes, given, locale) {
      const named = attributes.map((one) => `${given.has(one) ? '=' : ''}${one.column}`).join()
      return keep(`values ${schema.collectionName} ${named}`, true, () => {
        const stored = (column: string): Sql =>
          sql`(select ${ref(column)} from ${table(schema)} where ${ref('id')} = ${integer})`
        const equal = attributes.map((one) => {
          const value = given.has(one) ? parameter(getColumnType(one)) : stored(one.column)
          return sql`${ref(one.column)} = ${value}`
        })
        const within =
          locale === undefined
            ? sql``
            : sql` and ${ref(locale.column)} = coalesce(${stored(locale.column)}, ${text})`
        return sql`select ${ref('id')} from ${table(schema)} where ${ref('id')} <> ${integer} and ${sql.join(equal, sql` and `)}${within} limit 1`
      })
    },
    together(schema, together) {
      const key = `together ${schema.collectionName} ${JSON.stringify(together)}`
      return keep(key, true, () =>
        compileTogether(schema.collectionName, together, {
          only: (id) => dialect.inList('id', id, sql`${null}`),
        }),
      )
    },
    nextSuffix(schema, attribute, locale) {
      return keep(`suffix ${schema.collectionName} ${attribute.column}`, true, () =>
        compileNextSuffix({
          table: table(schema),
          column: ref(attribute.column),
          locale: locale === undefined ? undefined : ref(locale.column),
          text,
          dialect,
        }),
      )
    },
    rowWith(schema, by, columns) {
      return keep(`row ${schema.collectionName} ${by.column} ${columnsKey(columns)}`, true, () => {
        const names = sql.join([ref('id'), ...columns.map((column) => ref(column.column))])
        const equal = sql`${ref(by.column)} = ${parameter(getColumnType(by))}`
        return sql`select ${names} from ${table(schema)} where ${equal} order by ${ref('id')} limit 1`
      })
    },
    ...createLinkStatements(dialect, keep),
    ...createDocumentStatements(dialect, keep),
    encode: (attribute, value) => dialect.encode(getColumnType(attribute), value),
    encodeChange: (attribute, change) => encodeChange(dialect, getColumnType(attribute), change),
    encodeIds: (ids) => dialect.encodeList('id', ids),
    encodeTexts: (texts) => dialect.encodeList('text', texts),
    encodeOrders: (orders) => dialect.encodeOrders(orders),
  }
}
