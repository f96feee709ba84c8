// Implements the dialect of MySQL and MariaDB. Text is compared by its bytes, and only ASCII letters are folded, as on the
// other databases; sessions have the modes that this needs (`session-settings.ts`).

import { MysqlQueryCompiler, sql } from 'kysely'
import { MAX_KEY_LENGTH } from '../../../plan/read-plan.ts'
import type { Dialect, Fragment } from '../../sql/dialect.ts'
import type { ColumnType } from '../../sql/layout.ts'
import { encodeScalar } from '../../sql/standard-dialect.ts'
import { type ListKind, listPlaceholder } from './list-placeholders.ts'
import { mysqlIndexes } from './mysql-indexes.ts'

/** Datetimes are epoch milliseconds, because `datetime` has no years after 9999; JSON is the text as it was written. */
const columnTypes = {
  id: 'bigint',
  reference: 'bigint',
  text: 'longtext',
  integer: 'bigint',
  biginteger: 'bigint',
  float: 'double',
  decimal: 'double',
  boolean: 'tinyint(1)',
  date: 'date',
  time: 'time(3)',
  datetime: 'bigint',
  json: 'longtext',
  order: 'double',
} as const satisfies Record<ColumnType, string>

const listKinds = {
  id: 'integer',
  reference: 'integer',
  text: 'text',
  integer: 'integer',
  biginteger: 'integer',
  float: 'number',
  decimal: 'number',
  boolean: 'integer',
  date: 'text',
  time: 'text',
  datetime: 'integer',
  json: 'text',
  order: 'number',
} as const satisfies Record<ColumnType, ListKind>

/** A backslash is a character, as the mode of the sessions has it. */
class Compiler extends MysqlQueryCompiler {
  protected override sanitizeStringLiteral(value: string): string {
    return value.replaceAll("'", "''")
  }
}

/** Compares bytes, and trailing spaces as any character. */
export const COLLATIONS = { mariadb: 'utf8mb4_nopad_bin', mysql: 'utf8mb4_0900_bin' } as const

export type Product = keyof typeof COLLATIONS

/** A row for each name that a transaction locks: `lock tables` would end it, and `get_lock` gives up in silence. */
export const LOCKS = 'cms_run_locks'

export function createMysqlDialect(product: Product): Dialect {
  return {
    name: 'mysql',
    systemName: product,
    explain: { prefix: 'explain format=json', column: 0 },
    readsEachParent: false,
    derivesTotals: false,
    // Longer than an engine in this process, since it answers requests at the same time.
    statisticsLifetimeMs: 60_000,
    compiler: new Compiler(),
    columnTypes,
    textCollation: undefined,
    undoesDefinitions: false,
    generatedKey: 'auto_increment primary key',
    tableOptions: `engine=InnoDB default character set utf8mb4 collate ${COLLATIONS[product]}`,
    listColumns: sql`select table_name, column_name, case data_type when 'bigint' then 'bigint' else column_type end from information_schema.columns where table_schema = database() and extra not like '%GENERATED%'`,
    returns: false,
    noValues: sql`() values ()`,
    indexes: mysqlIndexes,
    foreignKeys: 'table',

    encode: (_type, value) => encodeScalar(value),
    encodeList(_type, values) {
      const elements = values.filter((value) => value !== null)
      return JSON.stringify(elements.map((value) => String(encodeScalar(value))))
    },
    encodeOrders: (orders) => JSON.stringify([...orders]),
    bind(type, placeholder) {
      return columnTypes[type] === 'double' ? sql`cast(${placeholder} as double)` : placeholder
    },
    select: (type, column) => (type === 'biginteger' ? sql`cast(${column} as char)` : column),
    asText: (type, column) => (columnTypes[type] === 'longtext' ? column : sql`cast(${column} as char)`),

    inList: (type, column, placeholder) => listPlaceholder(column, listKinds[type], placeholder),
    ordersById: (placeholder) =>
      sql`json_table(${placeholder}, '$[*]' columns (id bigint path '$[0]', place double path '$[1]'))`,
    reorder({ table, order, id, condition }, orders) {
      const own = (name: string): Fragment => sql.ref(`own.${name}`)
      return sql`update ${sql.table(table)} as ${sql.ref('own')} join ${orders} as ${sql.ref('given')} on ${own(id)} = ${sql.ref('given.id')} set ${own(order)} = ${sql.ref('given.place')} where ${condition(own)}`
    },
    copyColumns(table, columns, id) {
      const sets = columns.map((name) => sql`${sql.ref(`own.${name}`)} = ${sql.ref(`source.${name}`)}`)
      return sql`update ${sql.table(table)} as ${sql.ref('own')} join ${sql.table(table)} as ${sql.ref('source')} on ${sql.ref('source.id')} = ${id} set ${sql.join(sets)} where ${sql.ref('own.id')} = ${id}`
    },
    upsert({ table, columns, values, key, sets }) {
      const changes = Object.entries(sets).map(([column, value]) => {
        const next = value(sql.ref(`${table}.${column}`), sql`values(${sql.ref(column)})`)
        return sql`${sql.ref(column)} = ${next}`
      })
      if (changes.length === 0) changes.push(sql`${sql.ref(key)} = ${sql.ref(`${table}.${key}`)}`)
      const names = columns.map((column) => sql.ref(column))
      return sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)}) on duplicate key update ${sql.join(changes)}`
    },
    equal: (column, value) => sql`${column} = ${value}`,
    equalIgnoringCase: (text, value) => sql`${folded(text)} = ${folded(value)}`,
    contains(text, value, ignoresCase) {
      const [within, part] = ignoresCase ? [folded(text), folded(value)] : [text, value]
      return sql`instr(${within}, ${part}) > 0`
    },
    startsWith: (text, value, ignoresCase) =>
      equalCase(sql`left(${text}, char_length(${value}))`, value, ignoresCase),
    // If the value is longer than the text, `right` returns the whole text, which is not equal.
    endsWith: (text, value, ignoresCase) =>
      equalCase(sql`right(${text}, char_length(${value}))`, value, ignoresCase),
    occurrences(text, value) {
      const [whole, term] = [folded(text), folded(value)]
      return sql`((length(${whole}) - length(replace(${whole}, ${term}, ''))) / length(${term}))`
    },
    order: (key, descending) => (descending ? sql`${key} desc` : sql`${key} asc`),
    extreme: (_type, column) => column,
    double: (number) => sql`cast(${number} as double)`,
    whole: (value) => sql`cast(${value} as signed)`,
    size: (text) => sql`char_length(${text})`,
    isDigits: (text) => sql`${text} not regexp '[^0-9]'`,
    withNumbers(object, names, number) {
      const members = names.map((name) => sql`${sql.lit(`$."${name}"`)}, ${number}`)
      return sql`json_set(coalesce(${object}, '{}'), ${sql.join(members)})`
    },
    jsonValue(json, path, as) {
      const found = sql`json_extract(${json}, ${path})`
      const kind = sql`json_type(${found})`
      if (as === 'number')
        return sql`(case when ${kind} in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then cast(${found} as double) end)`
      // MySQL keeps no text of a list or an object: it comes in MySQL's own form.
      const whole = product === 'mariadb' ? sql`json_query(${json}, ${path})` : sql`json_unquote(${found})`
      const text = sql`(case ${kind} when 'NULL' then null when 'OBJECT' then ${whole} when 'ARRAY' then ${whole} else json_unquote(${found}) end)`
      return as === 'text'
        ? text
        : sql`(case when char_length(${text}) <= ${sql.lit(MAX_KEY_LENGTH)} then ${text} end)`
    },
    encodeJsonPath: (path) =>
      `$${path.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `."${name}"`)).join('')}`,
    withoutElement: (list, element) =>
      sql`(select concat('[', coalesce(group_concat(value order by place separator ','), ''), ']') from json_table(${list}, '$[*]' columns (place for ordinality, value json path '$')) as elements where cast(value as char) <> ${element})`,
    datePart(part, type, column) {
      // Rounded down, also before 1970.
      const seconds = sql`(${column} - ((${column} % 1000) + 1000) % 1000) div 1000`
      const day = type === 'date' ? column : sql`date(timestamp('1970-01-01') + interval (${seconds}) second)`
      const start = part === 'week' ? sql`(${day} - interval weekday(${day}) day)` : day
      return sql`date_format(${start}, ${sql.lit(FORMATS[part])})`
    },
    truncated: (number) => sql`truncate(${number}, 0)`,
    indexed: (column) => column,
    limit: (placeholder) => placeholder,
    withoutIndex: (column) => column,
    forEach: undefined,
    once: (select) => select,
    // MariaDB would join both, and go every way to the same row: 9,900 entries of few tags took more than 10 s.
    nested: (select) =>
      sql`select * from (select distinct * from (${select}) as ${sql.ref('ways')}) as ${sql.ref('nested')}`,
    joinsToOne: true,
    givenId: () => sql.ref('id'),
    unites: false,
    maxJoinedSubqueries: 12,
    maxInlineDepth: Number.POSITIVE_INFINITY,
    looksUp: true,
    lock: sql`for update`,
    lockTable: lockName,
    // Its FULLTEXT indexes words, not parts of them.
    textIndex: undefined,
    analyze: (tables) => sql`analyze table ${sql.join(tables)}`,
  }
}

/** Until the end of the transaction: an insert waits for another one of the same name. */
export function lockName(name: string): Fragment {
  return sql`insert into ${sql.table(LOCKS)} (name) values (${sql.lit(name)}) on duplicate key update name = values(name)`
}

const FORMATS = { day: '%Y-%m-%d', week: '%Y-%m-%d', month: '%Y-%m', year: '%Y' } as const

/**
 * With ASCII letters in lower case. `lower` folds the letters of its character set: in that of Thai, bytes that are not
 * ASCII have no case, so that the bytes of UTF-8 stay.
 */
function folded(text: Fragment): Fragment {
  return sql`cast(lower(convert(cast(${text} as binary) using tis620)) as binary)`
}

function equalCase(part: Fragment, value: Fragment, ignoresCase: boolean): Fragment {
  return ignoresCase ? sql`${folded(part)} = ${folded(value)}` : sql`${part} = ${value}`
}
