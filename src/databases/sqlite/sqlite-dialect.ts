// What SQLite says in its own way. Text is matched with instr, substr and lower: a LIKE pattern from outside can
// kill the WASM engine (its recursion overflows the stack), and would give `%` and `_` a meaning.

import { DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { InvariantError } from '../../errors/invariant.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { Dialect, Fragment } from '../../sql/dialect.ts'
import type { ColumnType } from '../../sql/layout.ts'
import type { SqlValue } from '../../sql/statement.ts'

/** Tables are STRICT, so these are all the types there are. Datetimes are epoch milliseconds. */
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

/** SQLite behind sql.js. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  embedded: true,
  kysely: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteCompiler(),
  },
  columnTypes,
  textCollation: undefined,
  idGeneration: 'autoincrement',
  tableOptions: 'strict',
  listColumns: sql`select t.name, c.name, lower(c.type) from sqlite_schema as t join pragma_table_info(t.name) as c where t.type = 'table' and substr(t.name, 1, 7) <> 'sqlite_'`,

  encode(_type, value) {
    return encodeScalar(value)
  },
  encodeList(_type, values) {
    // By hand, because JSON.stringify knows no bigint. json_each reads whole numbers of 64 bits exactly.
    return `[${values.filter((value) => value !== null).map(jsonElement)}]`
  },
  bind(type, placeholder) {
    // sql.js binds a bigint as text; compared or computed with, it must be a number of 64 bits again.
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
    // Where the value is the longer one, substr gives something shorter than it, which is not equal.
    const end = sql`substr(${text}, length(${text}) - length(${value}) + 1)`
    return sql`${folded(end, ignoresCase)} = ${folded(value, ignoresCase)}`
  },
  order(key, descending) {
    return descending ? sql`${key} desc` : sql`${key} asc`
  },
  extreme: (_type, column) => column,
  indexed: (column) => column,
  // A placeholder alone is looked at by the planner: the statement would be compiled anew each time it is bound, which takes
  // half as long as reading 25 rows.
  limit: (placeholder) => sql`cast(${placeholder} as integer)`,
  withoutIndex: (column) => sql`+${column}`,
  givenId: () => sql.ref('id'),
  lock: undefined,
}

/** SQLite's lower knows the letters of ASCII only, which is the rule here. */
function folded(text: Fragment, ignoresCase: boolean): Fragment {
  return ignoresCase ? sql`lower(${text})` : text
}

function encodeScalar(value: PlanValue): SqlValue {
  switch (typeof value) {
    case 'boolean':
      return value ? 1 : 0
    case 'string':
    case 'number':
    case 'bigint':
      return value
    default:
      if (value === null) return null
      throw new InvariantError('a list was given where one value is bound')
  }
}

function jsonElement(value: PlanValue): string {
  const scalar = encodeScalar(value)
  return typeof scalar === 'bigint' ? String(scalar) : JSON.stringify(scalar)
}

/**
 * Names in backticks: a name in double quotes that no table has is a string to SQLite, so that asking for a column that is
 * gone would answer its name instead of failing.
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
