// All differences in SQL between databases, as functions over Kysely fragments.

import type { QueryCompiler, RawBuilder } from 'kysely'
import type { DatePart } from '../../plan/aggregate-plan.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { ColumnType, Index, Table } from './layout.ts'
import type { SqlValue } from './statement.ts'

export type Fragment = RawBuilder<unknown>

export interface Dialect {
  /** For tests and reports: nobody decides by it. */
  readonly name: string
  /** OpenTelemetry, semantic conventions, `db.system.name`. */
  readonly systemName: string
  /** Shows the plan of the statement behind it; `column`: of the line in a row of the result, from the end if negative. */
  readonly explain: { readonly prefix: string; readonly column: number }
  /**
   * Whether the page of each parent is read by itself, which costs no network; a server sorts the rows of all parents at
   * once.
   */
  readonly readsEachParent: boolean
  /** Whether totals are derived from the last page where possible, because no other request is served while rows are counted. */
  readonly derivesTotals: boolean
  /** Milliseconds for which counts of rows are used to estimate costs. */
  readonly statisticsLifetimeMs: number
  readonly compiler: QueryCompiler
  readonly columnTypes: Readonly<Record<ColumnType, string>>
  /** Compares text by its bytes; undefined if the column does so anyway. */
  readonly textCollation: string | undefined
  /**
   * Whether a transaction that is undone takes tables, columns and indexes back; elsewhere each such statement commits by
   * itself.
   */
  readonly undoesDefinitions: boolean
  /** Behind the type of the column; a generated id is never used again. */
  readonly generatedKey: string
  /** The options after the closing bracket of CREATE TABLE, e.g. `strict`. */
  readonly tableOptions: string | undefined
  /** Returns rows of table, column, and the database's type. */
  readonly listColumns: Fragment

  encode(type: ColumnType, value: PlanValue): SqlValue
  /** Encodes a whole list as the one value that `inList` takes; nulls are left out, as they would match nothing. */
  encodeList(type: ColumnType, values: readonly PlanValue[]): SqlValue
  bind(type: ColumnType, placeholder: Fragment): Fragment
  /** Selects the column so that its value arrives without loss: big integers arrive as text. */
  select(type: ColumnType, column: Fragment): Fragment
  asText(type: ColumnType, column: Fragment): Fragment

  inList(type: ColumnType, column: Fragment, placeholder: Fragment): Fragment
  /** Returns rows of `id` and `place` from the orders that `encodeOrders` wrote into the one placeholder. */
  ordersById(placeholder: Fragment): Fragment
  encodeOrders(orders: ReadonlyMap<number, number>): SqlValue
  /** Sets an order from `ordersById`, among the rows of the condition, by the other entry's id. */
  reorder(rows: ReorderedRows, orders: Fragment): Fragment
  equal(column: Fragment, value: Fragment): Fragment
  /** Ignores the case of ASCII letters only. */
  equalIgnoringCase(text: Fragment, value: Fragment): Fragment
  /** These three have no wildcards; they ignore case for ASCII letters only; the empty text matches every text. */
  contains(text: Fragment, value: Fragment, ignoresCase: boolean): Fragment
  startsWith(text: Fragment, value: Fragment, ignoresCase: boolean): Fragment
  endsWith(text: Fragment, value: Fragment, ignoresCase: boolean): Fragment
  /** How often the value, which is not empty, is in the text; ignores the case of ASCII letters. */
  occurrences(text: Fragment, value: Fragment): Fragment
  /** On every database null comes first ascending and last descending. */
  order(key: Fragment, descending: boolean, nullable: boolean): Fragment
  extreme(type: ColumnType, column: Fragment): Fragment
  double(number: Fragment): Fragment
  /** A text or number as a whole number of 64 bits. */
  whole(value: Fragment): Fragment
  /** In characters. */
  size(text: Fragment): Fragment
  isDigits(text: Fragment): Fragment
  /** A JSON object as text, with the number under each name. */
  withNumbers(object: Fragment, names: readonly string[], number: Fragment): Fragment
  /**
   * At the path that `encodeJsonPath` wrote: the JSON text (of a string itself), the number, or as a key of an index the text of
   * at most `MAX_KEY_LENGTH` characters, else null.
   */
  jsonValue(json: Fragment, path: Fragment, as: 'text' | 'number' | 'key'): Fragment
  /** Names, and positions as digits. */
  encodeJsonPath(path: readonly string[]): string
  /** A JSON list as text, without the elements whose text is equal. */
  withoutElement(list: Fragment, element: Fragment): Fragment
  /** The day, Monday of the week, month or year of a date or datetime in UTC: `2030-01-31`, `2030-01`, `2030`. */
  datePart(part: DatePart, type: ColumnType, column: Fragment): Fragment
  truncated(number: Fragment): Fragment
  indexed(column: Fragment): Fragment
  /** Undefined where an index may be of any columns, of a value at a path, and of some of the rows. */
  readonly indexes: IndexStatements | undefined
  /** Whether the definition of a column says to which table it refers, or that of its table. */
  readonly foreignKeys: 'column' | 'table'
  /** Whether changes return the rows that they made; elsewhere `Statement.answer` says which these are. */
  readonly returns: boolean
  /** Behind `insert into …`: a row without values. */
  readonly noValues: Fragment
  /** From the row with the first id to the one with the second. */
  copyColumns(table: string, columns: readonly string[], id: Fragment): Fragment
  /** Inserts a row, or changes the one with the same key. */
  upsert(row: UpsertedRow): Fragment
  /** Notifies all listening processes once the transaction is committed; undefined: one process only. */
  readonly notify?: Fragment
  limit(placeholder: Fragment): Fragment
  /** Prevents the use of the column's index, so that the database's planner begins with another table. */
  withoutIndex(column: Fragment): Fragment
  /**
   * Runs a select for each id of a list, which it names `#each.id`; undefined where the database needs one
   * statement for each.
   */
  forEach: ((ids: Fragment, select: Fragment) => Fragment) | undefined
  readonly joinsToOne: boolean
  /** Has the subquery evaluated once, not again for each outer row. */
  once(select: Fragment): Fragment
  /** A subquery of one column within another one. */
  nested(select: Fragment): Fragment
  /** Also makes sure that the database never generates the id again. */
  givenId(table: string): Fragment
  /**
   * Whether alternatives that each have an index become a union of ids, because the planner would otherwise
   * read every row.
   */
  readonly unites: boolean
  /**
   * With more subqueries in one statement, each stays a test of its row: PostgreSQL would turn all into
   * joins, and plans 100 joins in 3 s, 150 in more than 10 s.
   */
  readonly maxJoinedSubqueries: number
  /**
   * Deeper subqueries are named and moved to the front: each needs nine entries of SQLite's parser stack. MariaDB takes 64 names.
   */
  readonly maxInlineDepth: number
  /** Whether unique values behind relations are looked up before the read (`compile-lookups.ts`). */
  readonly looksUp: boolean
  /** Undefined where only one transaction runs at a time. */
  readonly lock: Fragment | undefined
  /** Undefined where only one transaction runs at a time. */
  readonly lockTable: ((table: string) => Fragment) | undefined
  /** Undefined where texts are always searched one by one. */
  readonly textIndex: TextIndexes | undefined
  readonly analyze: ((tables: readonly Fragment[]) => Fragment) | undefined
}

export interface ReorderedRows {
  readonly table: string
  readonly order: string
  /** The column of the other entry's id. */
  readonly id: string
  /** On the rows of the table. */
  condition(column: (name: string) => Fragment): Fragment
}

export type IndexedTable = Pick<Table, 'name' | 'columns'>

export interface IndexStatements {
  create(table: IndexedTable, index: Index): readonly Fragment[]
  drop(table: IndexedTable, index: Index): readonly Fragment[]
}

export interface UpsertedRow {
  readonly table: string
  readonly columns: readonly string[]
  readonly values: readonly Fragment[]
  /** A column with a unique index. */
  readonly key: string
  /** The new values of the stored row, which stays as it is if there are none. */
  readonly sets: Readonly<Record<string, (stored: Fragment, given: Fragment) => Fragment>>
}

/** Finds texts that may share three or more characters with a term. */
export interface TextIndexes {
  /**
   * Returns one row with a reason and what to do if no index can be made, else no row. Undefined where an
   * index can always be made.
   */
  readonly obstacle: Fragment | undefined
  create(index: string, table: string, column: string): readonly Fragment[]
  drop(index: string): readonly Fragment[]
  /** The names of indexes that are complete. Undefined where a missing index only makes queries slow. */
  readonly list: Fragment | undefined
  candidate(index: string, id: Fragment, column: Fragment, placeholder: Fragment): Fragment
  /** Counts candidates up to `limit`; undefined where the database's planner estimates them. */
  readonly count: ((index: string, placeholder: Fragment, limit: number) => Fragment) | undefined
  encode(term: string): string
}
