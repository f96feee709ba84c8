// Implements the dialect of PostgreSQL. Text is compared by its bytes (collation "C"), so that results do not
// depend on the server's locale.

import { PostgresQueryCompiler, sql } from 'kysely'
import { InvariantError } from '../../../lib/errors/invariant.ts'
import { MAX_KEY_LENGTH, type PlanValue } from '../../../plan/read-plan.ts'
import type { Dialect, Fragment } from '../../sql/dialect.ts'
import type { ColumnType } from '../../sql/layout.ts'
import type { SqlValue } from '../../sql/statement.ts'
import { formatDay, formatMoment } from './moment-text.ts'
import { postgresTextIndex } from './text-index.ts'

/** Spelled as `format_type` writes them. JSON is stored as text, because `jsonb` would reorder its keys. */
const columnTypes = {
  id: 'bigint',
  reference: 'bigint',
  text: 'text',
  integer: 'bigint',
  biginteger: 'bigint',
  float: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  time: 'time(3) without time zone',
  datetime: 'timestamp(3) with time zone',
  json: 'text',
  order: 'double precision',
} as const satisfies Record<ColumnType, string>

/** A hash of the schema, as SQL, because a schema's name may be longer than a channel's. */
export const CHANNEL = "'cms_run_' || md5(current_schema())"

export const postgresDialect: Dialect = {
  name: 'postgres',
  systemName: 'postgresql',
  explain: { prefix: 'explain', column: 0 },
  readsEachParent: false,
  derivesTotals: false,
  // Longer than an engine in this process, since it answers requests at the same time.
  statisticsLifetimeMs: 60_000,
  compiler: new PostgresQueryCompiler(),
  columnTypes,
  textCollation: 'collate "C"',
  idGeneration: 'identity',
  tableOptions: undefined,
  joinsToOne: true,
  listColumns: sql`select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) from pg_class as c join pg_attribute as a on a.attrelid = c.oid where c.relnamespace = to_regnamespace(quote_ident(current_schema())) and c.relkind in ('r', 'p', 'f', 'v', 'm') and a.attnum > 0 and not a.attisdropped`,

  notify: sql`select pg_notify(${sql.raw(CHANNEL)}, '')`,

  encode: encodeScalar,
  encodeList(type, values) {
    const elements = values.filter((value) => value !== null)
    return `{${elements.map((value) => arrayElement(encodeScalar(type, value))).join(',')}}`
  },
  bind: typed,
  select(type, column) {
    return type === 'biginteger' ? sql`cast(${column} as text)` : column
  },
  // Must match SQLite: a boolean is 1 or 0, a moment its milliseconds.
  asText(type, column) {
    switch (type) {
      case 'text':
      case 'json':
        return column
      case 'boolean':
        return sql`cast(cast(${column} as integer) as text)`
      case 'datetime':
        return sql`cast(cast(extract(epoch from ${column}) * 1000 as bigint) as text)`
      case 'date':
        return sql`to_char(${column}, 'YYYY-MM-DD')`
      case 'time':
        return sql`to_char(${column}, 'HH24:MI:SS.MS')`
      default:
        return sql`cast(${column} as text)`
    }
  },

  inList(type, column, placeholder) {
    return sql`${column} = any(cast(${placeholder} as ${sql.raw(`${columnTypes[type]}[]`)}))`
  },
  ordersById(placeholder) {
    return sql`(select cast(key as integer) as id, cast(value as double precision) as place from json_each_text(cast(${placeholder} as json)))`
  },
  equal: (column, value) => sql`${column} = ${value}`,
  equalIgnoringCase(text, value) {
    return sql`${folded(text, true)} = ${folded(typed('text', value), true)}`
  },
  contains(text, value, ignoresCase) {
    return sql`strpos(${folded(text, ignoresCase)}, ${folded(typed('text', value), ignoresCase)}) > 0`
  },
  startsWith(text, value, ignoresCase) {
    return sql`starts_with(${folded(text, ignoresCase)}, ${folded(typed('text', value), ignoresCase)})`
  },
  endsWith(text, value, ignoresCase) {
    // If the value is longer than the text, `right` returns the whole text, which is not equal.
    const end = sql`right(${text}, length(${typed('text', value)}))`
    return sql`${folded(end, ignoresCase)} = ${folded(typed('text', value), ignoresCase)}`
  },
  occurrences(text, value) {
    const term = typed('text', value)
    const without = sql`replace(${folded(text, true)}, ${folded(term, true)}, '')`
    return sql`((length(${text}) - length(${without})) / length(${term}))`
  },
  order(key, descending, nullable) {
    if (!nullable) return descending ? sql`${key} desc` : sql`${key} asc`
    return descending ? sql`${key} desc nulls last` : sql`${key} asc nulls first`
  },
  extreme(type, column) {
    return type === 'boolean' ? sql`cast(${column} as integer)` : column
  },
  double: (number) => sql`cast(${number} as double precision)`,
  jsonValue(json, path, as) {
    // PostgreSQL fails on an escaped NUL, which no text may hold.
    const found = sql`cast(replace(${json}, '\\u0000', '\\ufffd') as json)`
    const at = sql`cast(${path} as text[])`
    const text = sql`((${found} #>> ${at}) collate "C")`
    if (as === 'text') return text
    if (as === 'key') return sql`(case when length(${text}) <= ${sql.lit(MAX_KEY_LENGTH)} then ${text} end)`
    const isNumber = sql`json_typeof(${found} #> ${at}) = 'number'`
    return sql`(case when ${isNumber} then cast(${found} #>> ${at} as double precision) end)`
  },
  encodeJsonPath: (path) => `{${path.map(arrayElement).join(',')}}`,
  withNumbers(object, names, number) {
    const members = sql.join(names.map((name) => sql`${sql.lit(name)}, ${number}`))
    return sql`cast(cast(coalesce(${object}, '{}') as jsonb) || jsonb_build_object(${members}) as text)`
  },
  withoutElement: (list, element) =>
    sql`(select '[' || coalesce(string_agg(cast(value as text), ',' order by ordinality), '') || ']' from json_array_elements(cast(${list} as json)) with ordinality where cast(value as text) <> ${element})`,
  datePart(part, type, column) {
    const moment = type === 'date' ? sql`cast(${column} as timestamp)` : sql`${column} at time zone 'UTC'`
    const start = part === 'week' ? sql`date_trunc('week', ${moment})` : moment
    return sql`to_char(${start}, ${sql.lit(FORMATS[part])}) collate "C"`
  },
  truncated: (number) => sql`trunc(${number})`,
  indexed(column) {
    return sql`${column} nulls first`
  },
  limit: (placeholder) => typed('integer', placeholder),
  // PostgreSQL's planner knows the number of rows.
  withoutIndex: (column) => column,
  forEach: (ids, select) =>
    sql`select ${sql.ref('page')}.* from unnest(cast(${ids} as bigint[])) as ${sql.ref('#each')} (id) cross join lateral (${select}) as ${sql.ref('page')}`,
  // Without `offset 0` the planner joins the subquery and follows shared links once for each parent: 50
  // articles with one tag of 10,000 articles took 4.1 s instead of 36 ms.
  once: (select) => sql`${select} offset 0`,
  givenId(table) {
    const sequence = sql`pg_get_serial_sequence(${sql.lit(`"${table.replaceAll('"', '""')}"`)}, 'id')`
    const last = sql`coalesce(pg_sequence_last_value(cast(${sequence} as regclass)), 0)`
    return sql`${sql.ref('id')}, setval(${sequence}, greatest(${sql.ref('id')}, ${last}, 1))`
  },
  unites: true,
  maxJoinedSubqueries: 12,
  looksUp: true,
  lock: sql`for update`,
  textIndex: postgresTextIndex,
  lockTable(table) {
    // Readers continue; writers wait, and so do other holders of this lock.
    return sql`lock table ${table} in share row exclusive mode`
  },
  // Autovacuum counts new rows up to a minute later; until then the planner takes the tables for empty.
  analyze: (tables) => sql`analyze ${sql.join(tables)}`,
}

const FORMATS = { day: 'YYYY-MM-DD', week: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' } as const

/** Every placeholder has a cast, because PostgreSQL would infer its type from the context. */
function typed(type: ColumnType, placeholder: Fragment): Fragment {
  return sql`cast(${placeholder} as ${sql.raw(columnTypes[type])})`
}

/** With the collation "C", `lower` changes only ASCII letters, as required. */
function folded(text: Fragment, ignoresCase: boolean): Fragment {
  return ignoresCase ? sql`lower(${text} collate "C")` : text
}

function encodeScalar(type: ColumnType, value: PlanValue): SqlValue {
  if (value === null) return null
  switch (typeof value) {
    case 'boolean':
      return type === 'boolean' ? String(value) : Number(value)
    case 'string':
      return type === 'date' ? formatDay(value) : value
    case 'number':
      return type === 'datetime' ? formatMoment(value) : value
    case 'bigint':
      return value
    default:
      throw new InvariantError('a list was given where one value is bound')
  }
}

function arrayElement(value: SqlValue): string {
  return typeof value === 'string'
    ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    : String(value)
}
