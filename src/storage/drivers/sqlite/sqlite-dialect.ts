// Implements the dialect of SQLite. Text is matched without LIKE: a client's pattern can crash the WASM
// engine (stack overflow), and would give `%` and `_` a meaning.

import { SqliteQueryCompiler, sql } from 'kysely'
import { MAX_KEY_LENGTH, type PlanValue } from '../../../plan/read-plan.ts'
import type { Dialect, Fragment } from '../../sql/dialect.ts'
import type { ColumnType } from '../../sql/layout.ts'
import { encodeScalar, standardStatements } from '../../sql/standard-dialect.ts'
import { sqliteTextIndex } from './text-index.ts'

/** Tables are STRICT, which allows only a few types. Datetimes are epoch milliseconds. */
const columnTypes = {
  id: 'integer',
  reference: 'integer',
  text: 'text',
  integer: 'integer',
  biginteger: 'integer',
  float: 'real',
  decimal: 'real',
  boolean: 'integer',
  date: 'text',
  time: 'text',
  datetime: 'integer',
  json: 'text',
  order: 'real',
} as const satisfies Record<ColumnType, string>

/**
 * Quotes names with backticks: SQLite treats an unknown name in double quotes as a string, so that a query
 * for a missing column would not fail.
 */
class SqliteCompiler extends SqliteQueryCompiler {
  protected override getLeftIdentifierWrapper(): string {
    return '`'
  }

  protected override getRightIdentifierWrapper(): string {
    return '`'
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return identifier.replaceAll('`', '``')
  }
}

export const sqliteDialect: Dialect = {
  ...standardStatements,
  name: 'sqlite',
  systemName: 'sqlite',
  explain: { prefix: 'explain query plan', column: -1 },
  readsEachParent: true,
  derivesTotals: true,
  statisticsLifetimeMs: 5_000,
  compiler: new SqliteCompiler(),
  columnTypes,
  textCollation: undefined,
  undoesDefinitions: true,
  generatedKey: 'primary key autoincrement',
  tableOptions: 'strict',
  joinsToOne: false,
  listColumns: sql`select t.name, c.name, lower(c.type) from pragma_table_list as t join pragma_table_info(t.name) as c where t.schema = 'main' and t.type = 'table' and substr(t.name, 1, 7) <> 'sqlite_'`,

  encode(_type, value) {
    return encodeScalar(value)
  },
  encodeList(_type, values) {
    // Written by hand, because JSON.stringify does not support bigint. json_each reads 64-bit integers exactly.
    return `[${values.filter((value) => value !== null).map(jsonElement)}]`
  },
  bind(type, placeholder) {
    // sql.js binds a bigint as text; to compare or compute, it must be a 64-bit integer again.
    return type === 'biginteger' ? sql`cast(${placeholder} as integer)` : placeholder
  },
  select(type, column) {
    return type === 'biginteger' ? sql`cast(${column} as text)` : column
  },
  asText(type, column) {
    return columnTypes[type] === 'text' ? column : sql`cast(${column} as text)`
  },

  inList(_type, column, placeholder) {
    return sql`${column} in (select value from json_each(${placeholder}))`
  },
  ordersById(placeholder) {
    return sql`(select cast(key as integer) as id, value as place from json_each(${placeholder}))`
  },
  equal(column, value) {
    // To sort, SQLite prepares the statement again for each bare bound value: a row found by an index took 12
    // instead of 3 µs. The sign keeps values of each type.
    return sql`${column} = +${value}`
  },
  equalIgnoringCase(text, value) {
    return sql`lower(${text}) = lower(${value})`
  },
  contains(text, value, ignoresCase) {
    return sql`instr(${folded(text, ignoresCase)}, ${folded(value, ignoresCase)}) > 0`
  },
  startsWith(text, value, ignoresCase) {
    const start = sql`substr(${text}, 1, length(${value}))`
    return sql`${folded(start, ignoresCase)} = ${folded(value, ignoresCase)}`
  },
  endsWith(text, value, ignoresCase) {
    // If the value is longer than the text, substr returns a shorter text, which is not equal.
    const end = sql`substr(${text}, length(${text}) - length(${value}) + 1)`
    return sql`${folded(end, ignoresCase)} = ${folded(value, ignoresCase)}`
  },
  occurrences(text, value) {
    const without = sql`replace(${folded(text, true)}, ${folded(value, true)}, '')`
    return sql`((length(${text}) - length(${without})) / length(${value}))`
  },
  order(key, descending) {
    return descending ? sql`${key} desc` : sql`${key} asc`
  },
  extreme: (_type, column) => column,
  double: (number) => sql`cast(${number} as real)`,
  jsonValue(json, path, as) {
    const kind = sql`json_type(${json}, ${path})`
    if (as === 'number') return sql`(case when ${kind} in ('integer', 'real') then ${json} ->> ${path} end)`
    const text = sql`(case ${kind} when 'text' then ${json} ->> ${path} when 'null' then null else ${json} -> ${path} end)`
    return as === 'text' ? text : shortOnly(text)
  },
  encodeJsonPath: (path) =>
    `$${path.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `."${name}"`)).join('')}`,
  withNumbers(object, names, number) {
    const members = sql.join(names.map((name) => sql`${sql.lit(name)}, ${number}`))
    return sql`json_patch(coalesce(${object}, '{}'), json_object(${members}))`
  },
  withoutElement: (list, element) =>
    sql`(select '[' || coalesce(group_concat(${list} -> fullkey, ','), '') || ']' from json_each(${list}) where (${list} -> fullkey) <> ${element})`,
  datePart(part, type, column) {
    // Rounded down, also before 1970.
    const seconds = sql`(${column} - ((${column} % 1000) + 1000) % 1000) / 1000`
    const day = type === 'date' ? column : sql`strftime('%Y-%m-%d', ${seconds}, 'unixepoch')`
    if (part === 'week') return sql`date(${day}, '-6 days', 'weekday 1')`
    return sql`substr(${day}, 1, ${sql.lit(CHARACTERS[part])})`
  },
  whole: (value) => sql`cast(${value} as integer)`,
  truncated: (number) => sql`cast(cast(${number} as integer) as real)`,
  indexed: (column) => column,
  // SQLite's planner uses the value of a bare placeholder: each new value would compile the statement again, which
  // takes half as long as reading 25 rows.
  limit: (placeholder) => sql`cast(${placeholder} as integer)`,
  withoutIndex: (column) => sql`+${column}`,
  forEach: undefined,
  once: (select) => select,
  givenId: () => sql.ref('id'),
  // SQLite uses several indexes for one OR, and no statistics of single values.
  unites: false,
  maxJoinedSubqueries: Number.POSITIVE_INFINITY,
  looksUp: false,
  lock: undefined,
  lockTable: undefined,
  textIndex: undefined,
  analyze: undefined,
}

function shortOnly(text: Fragment): Fragment {
  return sql`(case when length(${text}) <= ${sql.lit(MAX_KEY_LENGTH)} then ${text} end)`
}

/** Of an ISO date. */
const CHARACTERS = { day: 10, month: 7, year: 4 } as const

/** libsql has FTS5; sql.js does not. */
export const fileDialect: Dialect = {
  ...sqliteDialect,
  textIndex: sqliteTextIndex,
}

/** SQLite's `lower` changes only ASCII letters, as required. */
function folded(text: Fragment, ignoresCase: boolean): Fragment {
  return ignoresCase ? sql`lower(${text})` : text
}

function jsonElement(value: PlanValue): string {
  const scalar = encodeScalar(value)
  return typeof scalar === 'bigint' ? String(scalar) : JSON.stringify(scalar)
}
