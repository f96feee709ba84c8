// Compiles the values and comparisons of expressions. Numbers are calculated as doubles in every database; a
// value that cannot be calculated is null.

import { type RawBuilder, sql } from 'kysely'
import { MAX_NUMBER, MIN_NUMBER } from '../../expressions/values.ts'
import type { JsonPath } from '../../model/json-path.ts'
import type { Condition, ValueExpression } from '../../plan/read-plan.ts'
import { getColumnType } from './build-layout.ts'
import type { Compilation } from './compilation.ts'
import { joinPopulatedTables } from './compile-join.ts'
import type { Dialect } from './dialect.ts'
import type { ColumnType } from './layout.ts'

type Sql = RawBuilder<unknown>
type ByValues = Extract<Condition, { kind: 'compareValues' | 'textTest' | 'valueIsNull' }>

/** Passed in, because conditions contain values and values contain conditions. */
type CompileCondition = (compilation: Compilation, alias: string, condition: Condition) => Sql

export function compileByValues(
  compilation: Compilation,
  alias: string,
  condition: ByValues,
  compileCondition: CompileCondition,
): Sql {
  const value = (of: ValueExpression): Sql => compileValue(compilation, alias, of, compileCondition)
  switch (condition.kind) {
    case 'compareValues': {
      const operator = OPERATORS[condition.operator]
      return sql`(${value(condition.left)} ${operator} ${value(condition.right)})`
    }
    case 'textTest':
      return sql`(${compilation.dialect[condition.test](value(condition.text), value(condition.part), false)})`
    case 'valueIsNull':
      return sql`(${value(condition.value)} is null)`
  }
}

const OPERATORS = { '==': sql`=`, '!=': sql`<>`, '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` }
const ARITHMETIC = { '+': sql`+`, '-': sql`-`, '*': sql`*` }

export function compileValue(
  compilation: Compilation,
  alias: string,
  value: ValueExpression,
  compileCondition: CompileCondition,
): Sql {
  const { dialect } = compilation
  const of = (each: ValueExpression): Sql => compileValue(compilation, alias, each, compileCondition)
  switch (value.kind) {
    case 'null':
      return sql`null`
    case 'attribute':
      return attributeValue(compilation, alias, value)
    case 'json':
      return compileJson(compilation, alias, value)
    case 'relevance':
      return compileRelevance(compilation, alias, value)
    case 'links': {
      const inner = compilation.alias()
      const { from, parent, only } = joinPopulatedTables(compilation, value.attribute, inner)
      const shown =
        value.only === undefined ? sql`` : sql` and ${compileCondition(compilation, inner, value.only)}`
      return sql`(select count(*) from ${from} where ${parent} = ${sql.ref(`${alias}.id`)}${only}${shown})`
    }
    case 'slot': {
      const { column, slot } = value
      return dialect.bind(column, sql`${compilation.bound(slot, (given) => dialect.encode(column, given))}`)
    }
    case 'ordinary': {
      const inner = of(value.value)
      return sql`(case when ${inner} = 0 or abs(${inner}) between ${sql.lit(MIN_NUMBER)} and ${sql.lit(MAX_NUMBER)} then ${inner} end)`
    }
    case 'arithmetic': {
      const [left, right] = [dialect.double(of(value.left)), dialect.double(of(value.right))]
      if (value.operator !== '/') return sql`(${left} ${ARITHMETIC[value.operator]} ${right})`
      const quotient = sql`(${left} / nullif(${right}, 0))`
      return value.whole ? dialect.truncated(quotient) : quotient
    }
    case 'concat':
      return sql`(${of(value.left)} || ${of(value.right)})`
    case 'size':
      return dialect.size(of(value.text))
    case 'conditional': {
      const cases = value.cases.map(
        (one) => sql` when ${compileCondition(compilation, alias, one.when)} then ${of(one.value)}`,
      )
      return sql`(case${sql.join(cases, sql``)} end)`
    }
  }
}

/** The value at a path in a JSON attribute, of which the caller may read all. */
function compileJson(
  compilation: Compilation,
  alias: string,
  { attribute, path, as }: Extract<ValueExpression, { kind: 'json' }>,
): Sql {
  const { dialect } = compilation
  const column = compilation.column(alias, attribute)
  // Below NOT, a text that is too long for a key would be unknown, and so neither equal nor unequal.
  const wanted = as === 'key' && compilation.negated ? 'text' : as
  if (typeof path !== 'number') return compileIndexedPath(dialect, column, path, wanted)
  const at = sql`${compilation.bound(path, (names) => dialect.encodeJsonPath(names as readonly string[]))}`
  return dialect.jsonValue(column, at, as)
}

/** The expression of an index and of the queries that it serves, which must be equal. */
export function compileIndexedPath(
  dialect: Dialect,
  column: Sql,
  path: JsonPath,
  as: 'text' | 'number' | 'key',
): Sql {
  return dialect.jsonValue(column, sql.lit(dialect.encodeJsonPath(path)), as)
}

/**
 * The part of BM25 that counts a term in a text, with k1 = 1.2, b = 0.75 and 100 characters as the usual length. The other
 * part, how rare a term is, decides little, because every term is found, and would need all texts.
 */
function compileRelevance(
  compilation: Compilation,
  alias: string,
  { attributes, terms }: Extract<ValueExpression, { kind: 'relevance' }>,
): Sql {
  const { dialect } = compilation
  const summands = attributes.flatMap((attribute) => {
    const text = compilation.column(alias, attribute)
    const usual = sql`(0.3 + 0.009 * ${dialect.double(dialect.size(text))})`
    return terms.map((term) => {
      const value = sql`${compilation.bound(term, (given) => dialect.encode('text', given))}`
      const count = dialect.double(dialect.occurrences(text, value))
      return sql`coalesce(2.2 / (1 + ${usual} / nullif(${count}, 0)), 0)`
    })
  })
  return sql`(${sql.join(summands, sql` + `)})`
}

/** An aggregate behind relations to one, because a polymorphic relation may still link several rows. */
function attributeValue(
  compilation: Compilation,
  alias: string,
  { through, attribute }: Extract<ValueExpression, { kind: 'attribute' }>,
): Sql {
  const type: ColumnType = getColumnType(attribute)
  const [field, ...others] = through
  if (field === undefined) return compilation.ruleColumn(alias, attribute)
  const inner = compilation.alias()
  const tables = joinPopulatedTables(compilation, field, inner)
  const value = attributeValue(compilation, inner, { kind: 'attribute', through: others, attribute })
  const comparable = type === 'boolean' ? value : compilation.dialect.extreme(type, value)
  const one = type === 'boolean' ? sql`${comparable}` : sql`min(${comparable})`
  const limit = type === 'boolean' ? sql` limit 1` : sql``
  return sql`(select ${one} from ${tables.from} where ${tables.parent} = ${sql.ref(`${alias}.id`)}${tables.only}${limit})`
}
