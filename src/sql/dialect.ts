// The one seam between databases: what they say differently, as functions over Kysely fragments. A new database
// is a new folder in `databases/` with an object of this type in it.

import type { Dialect as KyselyDialect, RawBuilder } from 'kysely'
import type { PlanValue } from '../plan/read-plan.ts'
import type { ColumnType } from './layout.ts'
import type { SqlValue } from './statement.ts'

/** A piece of SQL: a column, a placeholder or what was made of them. */
export type Fragment = RawBuilder<unknown>

export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Whether it runs in this process: one more statement is not one more round trip. */
  readonly embedded: boolean
  /** Kysely's compiler of this database, without a connection: it quotes, numbers placeholders and writes DDL. */
  readonly kysely: KyselyDialect
  /** The database's own type of every column type. */
  readonly columnTypes: Readonly<Record<ColumnType, string>>
  /** What stands behind the type of a text column, so that text is compared by its bytes. */
  readonly textCollation: string | undefined
  /** How the column of ids makes them: never one that was given before. */
  readonly idGeneration: 'autoincrement' | 'identity'
  /** What stands after the closing bracket of CREATE TABLE, e.g. `strict`. */
  readonly tableOptions: string | undefined
  /** A query for what tables there are: rows of table, column, and the database's type of it. */
  readonly listColumns: Fragment

  /** A value as it is bound to a placeholder of this type. */
  encode(type: ColumnType, value: PlanValue): SqlValue
  /** A whole list as the one value that `inList` takes; nulls are left out, they would match nothing. */
  encodeList(type: ColumnType, values: readonly PlanValue[]): SqlValue
  /** The placeholder where a value of this type is compared or written, with a cast where one is needed. */
  bind(type: ColumnType, placeholder: Fragment): Fragment
  /** The column in a select list, so that its value arrives exact: big integers arrive as text. */
  select(type: ColumnType, column: Fragment): Fragment
  /** The column read as text, for the operators that compare any type as text. */
  asText(type: ColumnType, column: Fragment): Fragment

  /** Whether the column's value is one of the list bound to the one placeholder. */
  inList(type: ColumnType, column: Fragment, placeholder: Fragment): Fragment
  /** As rows of `id` and `place` the orders that `encodeOrders` wrote into the one placeholder. */
  ordersById(placeholder: Fragment): Fragment
  /** Texts that are equal but for the case of ASCII letters. */
  equalIgnoringCase(text: Fragment, value: Fragment): Fragment
  /** The three matchers know no wildcards; case is that of ASCII letters; the empty text matches every text. */
  contains(text: Fragment, value: Fragment, ignoresCase: boolean): Fragment
  startsWith(text: Fragment, value: Fragment, ignoresCase: boolean): Fragment
  endsWith(text: Fragment, value: Fragment, ignoresCase: boolean): Fragment
  /** One key of ORDER BY; null comes first ascending and last descending, everywhere. */
  order(key: Fragment, descending: boolean, nullable: boolean): Fragment
  /** The column in `min` and `max`, which some types lack. */
  extreme(type: ColumnType, column: Fragment): Fragment
  /** A column of an index, so that `order` can read along it. */
  indexed(column: Fragment): Fragment
  /** A placeholder behind LIMIT. */
  limit(placeholder: Fragment): Fragment
  /** The column compared without its index: the planner begins with another table. */
  withoutIndex(column: Fragment): Fragment
  /** What INSERT returns where the id was given: the id, while the database learns not to give it again. */
  givenId(table: string): Fragment
  /** Behind a SELECT: nobody else changes the row before the transaction ends. Undefined: there is nobody else. */
  readonly lock: Fragment | undefined
  /** Nobody else writes into the table until the transaction ends. Left out where one transaction runs at a time. */
  lockTable?(table: Fragment): Fragment
}
