// Condition -> SQL. Values enter as parameters only; text is matched without LIKE, so that nothing in
// it is a wildcard; relations are subqueries, so that no row is doubled.

import { type RawBuilder, sql } from 'kysely'
import { unreachable } from '../errors/invariant.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { Condition, PlanValue, Slot } from '../plan/read-plan.ts'
import { columnTypeOf } from './build-layout.ts'
import type { Compilation } from './compilation.ts'
import { type Member, memberTables } from './compile-join.ts'
import { type Bound, bound } from './parameter.ts'

type Sql = RawBuilder<unknown>

/** The condition about the row that `alias` stands for. */
export function compileCondition(compilation: Compilation, alias: string, condition: Condition): Sql {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = deepestFirst(condition.conditions).map((part) =>
        compileCondition(compilation, alias, part),
      )
      if (parts.length === 1 && parts[0] !== undefined) return parts[0]
      if (parts.length === 0) return condition.kind === 'and' ? sql`1 = 1` : sql`1 = 0`
      return sql`(${balanced(parts, condition.kind === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return condition.condition.kind === 'not'
        ? compileCondition(compilation, alias, condition.condition.condition)
        : sql`not ${compileCondition(compilation, alias, condition.condition)}`
    case 'related':
      return compileRelated(compilation, alias, condition)
    case 'compare':
      return compileComparison(compilation, alias, condition)
    default:
      return unreachable(condition)
  }
}

/**
 * SQLite before 3.46, which libsql is, reads a statement with a stack of 100 places: `a and (b or (c and …` takes three for
 * each level, and with the brackets in front one.
 */
function deepestFirst(conditions: readonly Condition[]): readonly Condition[] {
  const depths = conditions.map(depthOf)
  const deepest = Math.max(...depths)
  if (deepest < 3) return conditions
  const first = depths.indexOf(deepest)
  return [...conditions.slice(first, first + 1), ...conditions.filter((_, index) => index !== first)]
}

/** Levels of brackets, up to the next relation. */
function depthOf(condition: Condition): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return 1 + Math.max(0, ...condition.conditions.map(depthOf))
    case 'not':
      return 1 + depthOf(condition.condition)
    case 'related':
      return condition.condition === undefined ? 1 : 2
    case 'compare':
      return 0
  }
}

/** A database reads `a or b or c …` as one level for each part, and SQLite refuses more than 1,000 levels. */
const FLAT = 50

function balanced(parts: readonly Sql[], joiner: Sql): Sql {
  if (parts.length <= FLAT) return sql.join(parts, joiner)
  const middle = Math.ceil(parts.length / 2)
  return sql`(${balanced(parts.slice(0, middle), joiner)})${joiner}(${balanced(parts.slice(middle), joiner)})`
}

function compileRelated(
  compilation: Compilation,
  alias: string,
  { attribute, condition, live }: Extract<Condition, { kind: 'related' }>,
): Sql {
  const inner = compilation.alias()
  const { from, parent, only } = memberTables(compilation, attribute, inner)
  const published = live ? onlyPublished(compilation, attribute, inner) : sql``
  const id = sql.ref(`${alias}.id`)
  const own = alias === compilation.members ? compilation.dialect.withoutIndex(id) : id
  // Most entries have one: to look for it is cheaper than to list them.
  if (condition === undefined)
    return sql`exists (select 1 from ${from} where ${parent} = ${own}${only}${published})`
  // The condition picks few, and SQLite begins with them; an EXISTS it asks for each entry of the outer table, which
  // takes 0.4 seconds where there are 100,000 of them, and this 0.2 milliseconds.
  return sql`${own} in ${subquery(compilation, () => {
    const where = compileCondition(compilation, inner, condition)
    return sql`select ${parent} from ${from} where ${where}${only}${published}`
  })}`
}

/** Of that stack a subquery within another takes nine places: those further in stand in front of the outermost one. */
const INLINE_DEPTH = 2

function subquery(compilation: Compilation, compile: () => Sql): Sql {
  const { named, depth } = compilation
  const within = named ?? []
  compilation.named = within
  compilation.depth = depth + 1
  const select = compile()
  compilation.named = named
  compilation.depth = depth
  if (depth >= INLINE_DEPTH) {
    const name = sql.ref(compilation.alias())
    within.push(sql`${name} as (${select})`)
    return sql`(select * from ${name})`
  }
  return named === undefined && within.length > 0
    ? sql`(with ${sql.join(within)} ${select})`
    : sql`(${select})`
}

/** ` and …`: the related entry that `alias` stands for is no draft. */
export function onlyPublished(compilation: Compilation, member: Member, alias: string): Sql {
  const publishedAt = member.kind === 'component' ? undefined : member.target?.publishedAt
  return publishedAt === undefined ? sql`` : sql` and ${compilation.column(alias, publishedAt)} is not null`
}

type Comparison = Extract<Condition, { kind: 'compare' }>

function compileComparison(compilation: Compilation, alias: string, condition: Comparison): Sql {
  const { dialect } = compilation
  const { attribute, operator, slots } = condition
  const type = columnTypeOf(attribute)
  const column = compilation.column(alias, attribute)
  const [first, second] = slots
  const value = (at: Slot | undefined, rounding: Rounding = 'none'): Sql =>
    dialect.bind(type, sql`${typed(compilation, attribute, at, rounding)}`)
  const text = (at: Slot | undefined): Sql => sql`${plainText(at)}`
  const negate = (positive: Sql): Sql => (operator.negated ? sql`not (${positive})` : positive)
  switch (operator.kind) {
    case 'equal': {
      if (operator.ignoresCase)
        return negate(dialect.equalIgnoringCase(dialect.asText(type, column), text(first)))
      return operator.negated ? sql`${column} <> ${value(first)}` : sql`${column} = ${value(first)}`
    }
    case 'less':
      return negate(sql`${column} < ${value(first, 'up')}`)
    case 'lessOrEqual':
      return negate(sql`${column} <= ${value(first, 'down')}`)
    case 'greater':
      return negate(sql`${column} > ${value(first, 'down')}`)
    case 'greaterOrEqual':
      return negate(sql`${column} >= ${value(first, 'up')}`)
    case 'between':
      return negate(sql`${column} between ${value(first, 'up')} and ${value(second, 'down')}`)
    case 'in':
      return negate(dialect.inList(type, column, sql`${list(compilation, attribute, first)}`))
    case 'contains':
    case 'startsWith':
    case 'endsWith': {
      const matched = dialect[operator.kind](dialect.asText(type, column), text(first), operator.ignoresCase)
      return negate(matched)
    }
    case 'null':
      return operator.negated ? sql`${column} is not null` : sql`${column} is null`
    default:
      return unreachable(operator.kind)
  }
}

function typed(
  compilation: Compilation,
  attribute: ScalarAttribute,
  at: Slot | undefined,
  rounding: Rounding,
): Bound {
  const type = columnTypeOf(attribute)
  const encode = (value: PlanValue) => compilation.dialect.encode(type, value)
  return bound(at, type === 'integer' ? (value) => encode(wholeNumber(value, rounding)) : encode)
}

/** Which whole number stands for a fraction, so that a column of whole numbers is compared with one of its kind. */
type Rounding = 'up' | 'down' | 'none'

/** Stored ones are safe integers: all beyond are alike. */
const BEYOND = 2 ** 60

function wholeNumber(value: PlanValue, rounding: Rounding): PlanValue {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const rounded = rounding === 'up' ? Math.ceil(value) : rounding === 'down' ? Math.floor(value) : BEYOND
  return Math.max(-BEYOND, Math.min(BEYOND, rounded))
}

function plainText(at: Slot | undefined): Bound {
  return bound(at, (value) => (value === null ? null : String(value)))
}

/** A list is one parameter, so that its length does not change the text of the statement. */
function list(compilation: Compilation, attribute: ScalarAttribute, at: Slot | undefined): Bound {
  const type = columnTypeOf(attribute)
  return bound(at, (value) => {
    const elements: readonly PlanValue[] = Array.isArray(value) ? value : [value]
    const whole = type === 'integer' ? elements.map((element) => wholeNumber(element, 'none')) : elements
    return compilation.dialect.encodeList(type, whole)
  })
}
