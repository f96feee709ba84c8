// All differences in SQL between databases, as functions over Kysely fragments. A new database is a new folder in
// `storage/` with an object of this type.

import type { QueryCompiler, RawBuilder } from 'kysely'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { ColumnType } from './layout.ts'
import type { SqlValue } from './statement.ts'

/** A piece of SQL: a column, a placeholder or an expression of them. */
export type Fragment = RawBuilder<unknown>

export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Whether the database runs in this process, so that another statement is not another round trip. */
  readonly embedded: boolean
  /** Kysely's compiler for this database: quotes names, numbers placeholders. */
  readonly compiler: QueryCompiler
  /** The database's own type of every column type. */
  readonly columnTypes: Readonly<Record<ColumnType, string>>
  /** The collation clause of a text column that compares text by its bytes, if one is needed. */
  readonly textCollation: string | undefined
  /** How the id column generates ids; an id is never used again. */
  readonly idGeneration: 'autoincrement' | 'identity'
  /** The options after the closing bracket of CREATE TABLE, e.g. `strict`. */
  readonly tableOptions: string | undefined
  /** A query for the existing tables: rows of table, column, and the database's type. */
  readonly listColumns: Fragment

  /** Encodes a value to bind it to a placeholder of this type. */
  encode(type: ColumnType, value: PlanValue): SqlValue
  /** Encodes a whole list as the one value that `inList` takes; nulls are left out, as they would match nothing. */
  encodeList(type: ColumnType, values: readonly PlanValue[]): SqlValue
  /** The placeholder for a value of this type, with a cast if one is needed. */
  bind(type: ColumnType, placeholder: Fragment): Fragment
  /** The column in a select list, so that its value arrives without loss: big integers arrive as text. */
  select(type: ColumnType, column: Fragment): Fragment
  /** The column read as text, for the operators that compare any type as text. */
  asText(type: ColumnType, column: Fragment): Fragment

  /** Whether the column's value is one of the list bound to the one placeholder. */
  inList(type: ColumnType, column: Fragment, placeholder: Fragment): Fragment
  /** Rows of `id` and `place` from the orders that `encodeOrders` wrote into the one placeholder. */
  ordersById(placeholder: Fragment): Fragment
  /** Whether the column has the value, which is a bound one. */
  equal(column: Fragment, value: Fragment): Fragment
  /** Whether the texts are equal, ignoring the case of ASCII letters. */
  equalIgnoringCase(text: Fragment, value: Fragment): Fragment
  /** These three have no wildcards; they ignore case for ASCII letters only; the empty text matches every text. */
  contains(text: Fragment, value: Fragment, ignoresCase: boolean): Fragment
  startsWith(text: Fragment, value: Fragment, ignoresCase: boolean): Fragment
  endsWith(text: Fragment, value: Fragment, ignoresCase: boolean): Fragment
  /** One key of ORDER BY; on every database null comes first ascending and last descending. */
  order(key: Fragment, descending: boolean, nullable: boolean): Fragment
  /** The column as `min` and `max` accept it: they do not support every type. */
  extreme(type: ColumnType, column: Fragment): Fragment
  /** A number as a double, for calculations. */
  double(number: Fragment): Fragment
  /** A double without its fraction. */
  truncated(number: Fragment): Fragment
  /** A column of an index, in the order that `order` needs, so that the index can be used. */
  indexed(column: Fragment): Fragment
  /** A query that tells all processes that listen, once the transaction is committed; undefined: there are no others. */
  readonly notify?: Fragment
  /** The placeholder after LIMIT. */
  limit(placeholder: Fragment): Fragment
  /** The column without its index, so that the database's planner begins with another table. */
  withoutIndex(column: Fragment): Fragment
  /**
   * Runs a select for each id of a list, which it names `#each.id`; undefined where the database can do that only by one
   * statement for each.
   */
  forEach: ((ids: Fragment, select: Fragment) => Fragment) | undefined
  /** Whether relations to one are joined for a sort value, instead of looked up for each row by a subquery. */
  readonly joinsToOne: boolean
  /** The select of a subquery that is to be evaluated once, not again for each row outside of it. */
  once(select: Fragment): Fragment
  /** The RETURNING of INSERT if the id was given: the id. Also makes sure that the database never generates it again. */
  givenId(table: string): Fragment
  /**
   * Whether alternatives of which each has an index are a union of ids: the planner would otherwise read every row and
   * ask each of it.
   */
  readonly unites: boolean
  /**
   * With more subqueries in one statement, each is kept as a test of its row: PostgreSQL would turn all of them into joins,
   * and plans 100 joins in 3 s, 150 in more than 10.
   */
  readonly maxJoinedSubqueries: number
  /** Whether unique values behind relations are better found out before (`compile-lookups.ts`). */
  readonly looksUp: boolean
  /** The clause after SELECT that locks the row; undefined where only one transaction runs at a time. */
  readonly lock: Fragment | undefined
  /** Locks the table against other writers; undefined where only one transaction runs at a time. */
  readonly lockTable: ((table: Fragment) => Fragment) | undefined
  /** Indexes of the parts of texts; undefined where texts are always searched one by one. */
  readonly textIndex: TextIndexes | undefined
  /** Counts the rows of the tables for the database's planner; undefined where the planner works without. */
  readonly analyze: ((tables: readonly Fragment[]) => Fragment) | undefined
}

/** An index finds the texts that may have three characters and more in common with a term; others are never found. */
export interface TextIndexes {
  /** A query for why no index can be made: one row with a reason and what to do, or none. Undefined where it always can. */
  readonly obstacle: Fragment | undefined
  /** Makes the index for the rows that there are and will be. */
  create(index: string, table: string, column: string): readonly Fragment[]
  drop(index: string): readonly Fragment[]
  /** The names of indexes that are whole. Undefined where a missing index only makes queries slow. */
  readonly list: Fragment | undefined
  /** Whether the row may match: the exact condition decides. */
  candidate(index: string, id: Fragment, column: Fragment, placeholder: Fragment): Fragment
  /** How many candidates there are, counted up to `limit`; undefined where the database's planner estimates it. */
  readonly count: ((index: string, placeholder: Fragment, limit: number) => Fragment) | undefined
  /** The value of that placeholder. */
  encode(term: string): string
}
