// Compiles an AggregatePlan into one statement: the values of each entry in a subquery, summed up around it.

import { type RawBuilder, sql } from 'kysely'
import { invariant } from '../../lib/errors/invariant.ts'
import type { AggregatePlan, GroupKey, Measure, MeasureCondition } from '../../plan/aggregate-plan.ts'
import { getFacts } from '../../plan/plan-facts.ts'
import { planLimits } from '../../plan/planning.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import { getColumnType, type ModelLayout } from './build-layout.ts'
import { startCompilation } from './compilation.ts'
import { compileComputed } from './compile-computed.ts'
import { compileSelection } from './compile-filter.ts'
import { compileSortValues } from './compile-sort.ts'
import type { Dialect } from './dialect.ts'
import { createCompiler } from './kysely-compiler.ts'
import type { ColumnType } from './layout.ts'
import { type BoundValue, bound } from './parameter.ts'
import type { BoundStatement } from './read-statements.ts'
import { statement } from './statement.ts'

type Sql = RawBuilder<unknown>

/** Rows have the number of all groups, the groups, and the measures. */
export function compileAggregate(plan: AggregatePlan, layout: ModelLayout, dialect: Dialect): BoundStatement {
  const { entries, groups, measures, having, order } = plan
  const { schema, condition } = entries
  const compilation = startCompilation(dialect, layout, compileComputed, entries, getFacts(entries).relations)
  const alias = compilation.alias()
  const { joins, values: keys } = compileSortValues(compilation, alias, entries.sort)
  const columns = new Map<GroupKey | Measure, Sql>()
  const inner: Sql[] = []
  for (const one of [...groups, ...measures]) {
    const value = one.key && keys.get(one.key)
    if (value === undefined) continue
    const column = sql.ref(`v${inner.length}`)
    columns.set(one, column)
    inner.push(sql`${getGroupValue(dialect, one, value)} as ${column}`)
  }
  const selected =
    condition === undefined ? undefined : compileSelection(compilation, alias, schema, condition)
  const where = selected === undefined ? sql`` : sql` where ${selected}`
  const source = sql`select ${list([sql`1 as ${sql.ref('one')}`, ...inner])} from ${sql.table(schema.collectionName)} as ${sql.ref(alias)}${joins}${where}`

  const getColumn = (one: GroupKey | Measure): Sql => {
    const column = columns.get(one)
    invariant(column !== undefined, 'a group or measure with a key has a column')
    return column
  }
  const getValue = (one: GroupKey | Measure): Sql => {
    if (one.key === undefined) return sql`count(*)`
    return 'fn' in one ? summarize(dialect, one.fn, getColumn(one)) : getColumn(one)
  }
  const grouping = groups.length === 0 ? sql`` : sql` group by ${list(groups.map(getColumn))}`
  const conditions = having.map((one) => compileHaving(dialect, one, getValue(one.measure)))
  const kept = conditions.length === 0 ? sql`` : sql` having ${sql.join(conditions, sql` and `)}`
  // Counted around them, because MariaDB loses groups where it counts them together with different values.
  const results = new Map(
    [...groups, ...measures, ...order.map(({ by }) => by)].map((one, index) => [one, sql.ref(`r${index}`)]),
  )
  const summed = Array.from(results, ([one, column]) => sql`${getValue(one)} as ${column}`)
  const found = sql`select ${list(summed)} from (${source}) as ${sql.ref('entries')}${grouping}${kept}`
  const getResult = (one: GroupKey | Measure): Sql => results.get(one) ?? getValue(one)
  const shown = [...groups, ...measures].map((one) => dialect.select(getResultType(one), getResult(one)))
  const sorted =
    groups.length === 0
      ? sql``
      : sql` order by ${list(order.map(({ by, descending }) => dialect.order(getResult(by), descending, true)))}`
  const limit = dialect.limit(sql`${bound(plan.limit, (value) => getGroups(Number(value)))}`)
  const offset = dialect.limit(sql`${bound(plan.offset, (value) => value as number)}`)
  const text = sql`select ${list([sql`count(*) over ()`, ...shown])} from (${found}) as ${sql.ref('found')}${sorted} limit ${limit} offset ${offset}`
  const compiled = createCompiler(dialect)(text)
  return {
    statement: statement(compiled.text, true),
    parameters: compiled.parameters as readonly BoundValue[],
  }
}

function list(parts: readonly Sql[]): Sql {
  return sql.join(parts, sql`, `)
}

function getGroups(size: number): number {
  return size < 0 ? planLimits.rows : Math.min(size, planLimits.rows)
}

function getGroupValue(dialect: Dialect, one: GroupKey | Measure, value: Sql): Sql {
  if ('fn' in one || one.part === undefined) return value
  return dialect.datePart(one.part, getColumnType(one.key.attribute), value)
}

/** Of the values in a row. */
function getResultType(one: GroupKey | Measure): ColumnType {
  if (!('fn' in one)) return one.part === undefined ? getColumnType(one.key.attribute) : 'text'
  switch (one.fn) {
    case 'count':
    case 'countDistinct':
      return 'integer'
    case 'sum':
    case 'avg':
      return 'float'
    case 'min':
    case 'max':
      return one.key === undefined ? 'integer' : getColumnType(one.key.attribute)
  }
}

/** Sums are floating-point numbers, so that no database overflows. */
function summarize(dialect: Dialect, fn: Measure['fn'], column: Sql): Sql {
  switch (fn) {
    case 'count':
      return sql`count(${column})`
    case 'countDistinct':
      return sql`count(distinct ${column})`
    case 'min':
      return sql`min(${column})`
    case 'max':
      return sql`max(${column})`
    case 'sum':
      return sql`sum(${dialect.double(column)})`
    case 'avg':
      return sql`avg(${dialect.double(column)})`
  }
}

const SYMBOLS: Readonly<Record<string, Sql>> = {
  $eq: sql`=`,
  $ne: sql`<>`,
  $lt: sql`<`,
  $lte: sql`<=`,
  $gt: sql`>`,
  $gte: sql`>=`,
}

function compileHaving(dialect: Dialect, { measure, operator, slot }: MeasureCondition, value: Sql): Sql {
  const isCount = measure.fn === 'count' || measure.fn === 'countDistinct'
  // A count is compared with any number, also with 2.5.
  const type = isCount ? 'float' : getResultType(measure)
  const placeholder = dialect.bind(
    type,
    sql`${bound(slot, (given: PlanValue) => dialect.encode(type, given))}`,
  )
  return sql`${value} ${SYMBOLS[operator.name] ?? sql`=`} ${placeholder}`
}
